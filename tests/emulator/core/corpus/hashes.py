# SHA-256 and CRC in C.
import binascii
import hashlib

h = hashlib.sha256(b"seed")
h.update(bytes(range(100)))
print(binascii.hexlify(h.digest()), binascii.crc32(bytes(200)), binascii.b2a_base64(b"picocab"))
