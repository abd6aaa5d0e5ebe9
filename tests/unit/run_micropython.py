"""Runs the test functions of the given files on MicroPython and prints how many passed.

Usage: micropython run_micropython.py FIRMWARE_DIR FILE...
"""

import sys

sys.path[:] = [sys.argv[1], sys.argv[0].rsplit("/", 1)[0], ".frozen"]

passed = failed = 0
for path in sys.argv[2:]:
    names = {}
    with open(path) as source:
        exec(compile(source.read(), path, "exec"), names)
    for name in sorted(names):
        if name.startswith("test_"):
            try:
                names[name]()
                passed += 1
            except Exception as error:
                failed += 1
                print("FAILED", path, name)
                sys.print_exception(error)
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed else 0)
