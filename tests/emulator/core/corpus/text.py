# Strings, bytes, formatting, struct, json.
import json
import struct

s = "Mad Mad Monkey"
print(s.upper(), s.replace("Mad", "Sad"), s.split(), s[4:7], s.find("Monkey"), "%5d|%-6s|%x" % (42, "ab", 255))
data = struct.pack("<IHbq", 0xDEADBEEF, 513, -2, -(1 << 40))
print(data, struct.unpack("<IHbq", data), int.from_bytes(data[:5], "big"))
record = {"lines": [1, 2, 3], "bet": 5, "wild": None, "on": True}
print(json.loads(json.dumps(record)) == record)
