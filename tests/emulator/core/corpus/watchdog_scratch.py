# Registers of the watchdog, the clocks and the unique id.
import binascii
import machine

machine.mem32[0x4005800C] = 0x1234ABCD
print(hex(machine.mem32[0x4005800C]), machine.freq(), binascii.hexlify(machine.unique_id()), machine.reset_cause())
