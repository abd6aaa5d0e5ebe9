# Frozen into the firmware; MicroPython runs it after _boot.py, once USB is up. Being frozen it comes before any file
# called main.py, and it starts nothing but the program that _boot.py has proven: /rom/program.mpy.
import sys
from time import sleep_ms

import vfs

if "/rom" in sys.path:
    if not any(path == "/data" for _, path in vfs.mount()):
        print("picocab: /data has no file system: make one with format_data.format_data()")
    import program  # noqa: F401  # pyright: ignore[reportMissingImports]  (firmware/main.py; it runs at import)
else:
    sleep_ms(1000)  # a host needs this long to find the port; what is printed before it has is lost
    print('picocab: no valid program: flash it with "picocab flash"')
