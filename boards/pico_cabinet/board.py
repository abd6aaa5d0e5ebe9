"""The Pico cabinet board as data: pins, polarities and times.

Read by the firmware, by the emulated cabinet and by the tests alike, so it holds literals only: no import, no
hardware, no computation. Pins are RP2040 GPIO numbers; a `_ms`, `_us`, `_hz`, `_px` suffix gives the unit.
"""

NAME = "pico_cabinet"
CPU_HZ = 125_000_000

# ---- direct lines
SERVICE_TX = 0
SERVICE_RX = 1
COIN_IN = 2
COIN_IN_ACTIVE_LOW = True  # acceptor output is an open collector to ground, pulled up to 3.3 V
COIN_INHIBIT = 3
COIN_INHIBIT_ACTIVE_LOW = False  # pulled up outside: a Pico in reset inhibits the acceptor
CCTALK_TX = 4
CCTALK_RX = 5
HOPPER_MOTOR = 6
HOPPER_MOTOR_ACTIVE_LOW = False  # pulled down outside: a Pico in reset stops the motor
HOPPER_SENSOR = 7
HOPPER_SENSOR_ACTIVE_LOW = True

# ---- 74HC165 chain (parallel inputs), clocked by a PIO state machine
INPUTS_CLOCK = 8
INPUTS_LOAD = 9  # must be INPUTS_CLOCK + 1: both are side-set pins; low loads the chain
INPUTS_DATA = 14
INPUTS_SAMPLE_HZ = 1000
# Shift order: the first bit that leaves the chain after a load comes first.
INPUTS = (
    "COLLECT",
    "LINES",
    "BET",
    "LEFT",
    "RIGHT",
    "GAMBLE",
    "MAX_BET",
    "START",
    "MAIN_DOOR",
    "CASH_BOX_DOOR",
    "ATTENDANT_KEY",
    "TILT",
    "HOPPER_LOW",
    "METER_SENSE",
    "SPARE_IN_1",
    "SPARE_IN_2",
)
# Active low: pressed buttons and turned key pull to ground. The door switches are closed to ground while the door is
# shut, so an open door and a cut wire both read high; METER_SENSE reads high when a counter coil is missing.
INPUTS_ACTIVE_LOW = (
    "COLLECT",
    "LINES",
    "BET",
    "LEFT",
    "RIGHT",
    "GAMBLE",
    "MAX_BET",
    "START",
    "ATTENDANT_KEY",
    "TILT",
    "HOPPER_LOW",
    "SPARE_IN_1",
    "SPARE_IN_2",
)

# ---- 74HC595 chain (parallel outputs), clocked by a PIO state machine
OUTPUTS_DATA = 10
OUTPUTS_CLOCK = 11
OUTPUTS_LATCH = 12  # must be OUTPUTS_CLOCK + 1: both are side-set pins; the rising edge shows the shifted bits
OUTPUTS_ENABLE = 13
OUTPUTS_ENABLE_ACTIVE_LOW = True  # pulled up outside: a Pico in reset leaves every output off
# Bit order: OUTPUTS[0] is the first output of the first register (Q0), shifted in last.
OUTPUTS = (
    "LAMP_COLLECT",
    "LAMP_LINES",
    "LAMP_BET",
    "LAMP_LEFT",
    "LAMP_RIGHT",
    "LAMP_GAMBLE",
    "LAMP_MAX_BET",
    "LAMP_START",
    "TOWER_LIGHT",
    "BELL",
    "COUNTER_COIN_IN",
    "COUNTER_COIN_OUT",
    "COUNTER_GAMES",
    "COUNTER_HAND_PAY",
    "SPARE_OUT_1",
    "SPARE_OUT_2",
)

# ---- panel: ST7789, 320 x 240 landscape, RGB565, on SPI 0
PANEL_SPI = 0
PANEL_HZ = 62_500_000
PANEL_CS = 17
PANEL_SCK = 18
PANEL_MOSI = 19
PANEL_DC = 20
PANEL_RST = 21
PANEL_BACKLIGHT = 22
PANEL_MADCTL = 0x60  # MV and MX: 320 columns, 240 rows
PANEL_INVERTED = True  # IPS glass: colours are right with inversion on

# ---- spare lines on the wiring page
SPARE = (15, 16, 26, 27, 28)

# ---- times
SERVICE_BAUD = 115_200
COIN_WIDTH_MS = 50  # nominal pulse of the acceptor
COIN_VALUE_MINOR = 100
COUNTER_ON_MS = 50
COUNTER_OFF_MS = 50
COUNTER_UNIT_MINOR = 100
DEBOUNCE_PRESS_MS = 5
DEBOUNCE_RELEASE_MS = 20

# ---- flash map in bytes from the start of the 2 MB flash; the build asserts it against the linker's symbols
FLASH_BYTES = 2_097_152
FLASH_FIRMWARE = (0x000000, 393_216)
FLASH_ROMFS = (0x060000, 1_179_648)
FLASH_JOURNAL_A = (0x180000, 196_608)
FLASH_JOURNAL_B = (0x1B0000, 196_608)
FLASH_DATA = (0x1E0000, 131_072)
