"""The parts on the emulated Pico: MicroPython code on the chip drives the real pins, buses and PIO state machines."""

import pytest
from PIL import Image

from host_tools.emulator.cabinet import Cabinet
from host_tools.emulator.pico import Pico
from host_tools.toolchain.uf2 import flash_bytes

READY = 15
"""A spare pin that the code on the chip raises when it is ready for what the test does next."""

BOARD_PINS = """
from machine import Pin, SPI
import machine, rp2, time
machine.freq(125_000_000, 125_000_000)
ready = Pin({READY}, Pin.OUT, value=0)
"""

# MicroPython's sleep_ms(n) counts ticks and may end up to a millisecond early: 121 are at least 120.
PANEL_DRIVER = """
spi = SPI({PANEL_SPI}, baudrate={PANEL_HZ}, sck=Pin({PANEL_SCK}), mosi=Pin({PANEL_MOSI}))
cs, dc, reset = (Pin(n, Pin.OUT, value=1) for n in ({PANEL_CS}, {PANEL_DC}, {PANEL_RST}))
light = Pin({PANEL_BACKLIGHT}, Pin.OUT, value=1)

def command(code, data=b""):
    cs(0); dc(0); spi.write(bytes((code,))); dc(1)
    if data:
        spi.write(data)
    cs(1)

def window(x, y, w, h):
    r = x + w - 1; b = y + h - 1
    command(0x2A, bytes((x >> 8, x & 255, r >> 8, r & 255)))
    command(0x2B, bytes((y >> 8, y & 255, b >> 8, b & 255)))
    command(0x2C)

def pixels(data):
    cs(0); spi.write(data); cs(1)

reset(0); time.sleep_us(20); reset(1); time.sleep_ms(121)
command(0x11); time.sleep_ms(121)
command(0x3A, b"\\x55"); command(0x36, bytes(({PANEL_MADCTL},)))
if {PANEL_INVERTED}:
    command(0x21)
command(0x29)
"""

OUTPUT_CHAIN = """
data, clock, latch = (Pin(n, Pin.OUT, value=0) for n in ({OUTPUTS_DATA}, {OUTPUTS_CLOCK}, {OUTPUTS_LATCH}))
names = {OUTPUTS}

def show(*on):
    for name in reversed(names):
        data(name in on); clock(1); clock(0)
    latch(1); latch(0)

show()
enable = Pin({OUTPUTS_ENABLE}, Pin.OUT, value=not {OUTPUTS_ENABLE_ACTIVE_LOW})
"""

INPUT_CHAIN_BIT_BANGED = """
clock, load = Pin({INPUTS_CLOCK}, Pin.OUT, value=0), Pin({INPUTS_LOAD}, Pin.OUT, value=1)
serial = Pin({INPUTS_DATA}, Pin.IN)

def read():
    load(0); load(1)
    levels = []
    for _ in {INPUTS}:
        levels.append(serial()); clock(1); clock(0)
    return levels
"""

INPUT_CHAIN_PIO = """
@rp2.asm_pio(sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_HIGH), in_shiftdir=rp2.PIO.SHIFT_LEFT, autopush=True,
             push_thresh=16, fifo_join=rp2.PIO.JOIN_RX)
def sample():
    set(x, 15).side(0b00)
    nop().side(0b10)
    label("bit")
    in_(pins, 1).side(0b10)
    jmp(x_dec, "bit").side(0b11)
    set(y, 31).side(0b10)[1]
    label("rest")
    jmp(y_dec, "rest").side(0b10)[1]

serial = Pin({INPUTS_DATA}, Pin.IN)
machine_0 = rp2.StateMachine(0, sample, freq=100_000, sideset_base=Pin({INPUTS_CLOCK}), in_base=serial)
machine_0.active(1)
"""

INPUT_CHAIN_RING = """
from array import array
import uctypes
PIO0_RXF0, DREQ_PIO0_RX0, RING_BYTES, FOREVER = 0x50200020, 4, 2048, 1 << 28
memory = array("I", bytes(2 * RING_BYTES))
begin = uctypes.addressof(memory)
dma = rp2.DMA()
dma.config(read=PIO0_RXF0, write=begin + -begin % RING_BYTES, count=FOREVER, trigger=True,
    ctrl=dma.pack_ctrl(size=2, inc_read=False, ring_sel=True, ring_size=11, treq_sel=DREQ_PIO0_RX0))
"""


@pytest.fixture
def pico(firmware_uf2):
    return Pico(flash_bytes([firmware_uf2]))


@pytest.fixture
def cabinet(pico, board):
    return Cabinet(pico, board)


@pytest.fixture
def run(pico, cabinet, board):
    """Runs MicroPython code on the chip, with the names of the board in braces, and returns what it printed."""

    def execute(*sources):
        source = BOARD_PINS + "\n".join(sources)
        for name, value in {"READY": READY, **vars(board)}.items():
            source = source.replace(f"{{{name}}}", repr(value))
        return pico.console.exec(source)

    return execute


def reset_chip(pico):
    """Lets the chip reset itself and returns the moment of the reset."""
    resets = []
    pico.on_reset(lambda: resets.append(pico.now_us))
    pico.console.exec("""
import machine
machine.Timer(period=20, mode=machine.Timer.ONE_SHOT, callback=lambda timer: machine.reset())
""")
    pico.run_until(lambda: resets)
    return resets[0]


def test_panel_shows_what_the_chip_draws_by_dma_and_byte_by_byte(run, cabinet):
    run(
        PANEL_DRIVER,
        """
window(0, 0, 320, 240)
row = b"\\xf8\\x00" * 320
for _ in range(240):
    pixels(row)
window(130, 20, 60, 180)
block = b"\\x07\\xe0" * 3600
for _ in range(3):
    pixels(block)
window(300, 230, 3, 2)
for _ in range(6):
    pixels(b"\\x00")
    pixels(b"\\x1f")
window(0, 0, 1, 1)
pixels(b"\\xff\\xff")
""",
    )
    expected = Image.new("RGB", (320, 240), (255, 0, 0))
    expected.paste((0, 255, 0), (130, 20, 190, 200))
    expected.paste((0, 0, 255), (300, 230, 303, 232))
    expected.putpixel((0, 0), (255, 255, 255))
    assert cabinet.panel.picture().tobytes() == expected.tobytes()
    assert cabinet.panel.frames == 4
    assert cabinet.panel.faults == []
    assert cabinet.panel.unknown_commands == []


def test_panel_sees_an_impatient_driver(run, cabinet):
    run(PANEL_DRIVER.replace("time.sleep_ms(121)", "time.sleep_ms(4)"))
    texts = [fault.split(" ms: ", 1)[1] for fault in cabinet.panel.faults]
    assert texts == [
        "command 0x11 within 5 ms of RESX",
        "SLPOUT within 120 ms of RESX",
        "command 0x3A within 5 ms of SLPOUT",
    ]


def test_panel_keeps_its_picture_over_a_chip_reset(run, pico, cabinet):
    run(PANEL_DRIVER, "window(0, 0, 320, 240)\nfor _ in range(240): pixels(b'\\xff\\xff' * 320)")
    assert cabinet.panel.lit
    reset_chip(pico)
    assert not cabinet.panel.lit, "the backlight is pulled down"
    assert cabinet.panel.faults == []


def test_inputs_bit_banged_read_every_part_in_order(run, cabinet, board):
    idle = [int(name in board.INPUTS_ACTIVE_LOW) for name in board.INPUTS]
    assert eval(run(INPUT_CHAIN_BIT_BANGED, "print(read())")) == idle
    cabinet.buttons["COLLECT"].press()
    cabinet.buttons["START"].press()
    cabinet.doors["MAIN_DOOR"].open()
    cabinet.key.turn(True)
    cabinet.counters["GAMES"].unplug()
    changed = {"COLLECT", "START", "MAIN_DOOR", "ATTENDANT_KEY", "METER_SENSE"}
    expected = [level ^ (name in changed) for name, level in zip(board.INPUTS, idle, strict=True)]
    assert eval(run(INPUT_CHAIN_BIT_BANGED, "print(read())")) == expected


def test_inputs_sampled_by_pio_see_a_click_for_its_time(run, pico, cabinet, board):
    bit = 1 << 15 - board.INPUTS.index("START")
    pico.pins.watch(READY, lambda level: level and cabinet.buttons["START"].click(hold_ms=30, after_ms=10))
    printed = run(
        INPUT_CHAIN_PIO,
        f"""
ready(1)
samples = [machine_0.get() & {bit} for _ in range(100)]
print(samples.count(0), samples[0] and samples[-1])
""",
    )
    low, ends_high = printed.split()
    assert 29 <= int(low) <= 31  # the samples are 1 ms apart
    assert int(ends_high)


def test_inputs_are_sampled_through_a_dma_ring_while_the_panel_is_drawn(run, cabinet):
    printed = run(
        INPUT_CHAIN_PIO,
        INPUT_CHAIN_RING,
        PANEL_DRIVER,
        """
window(0, 0, 320, 240)
row = b"\\x07\\xe0" * 320
first, begin = dma.count, time.ticks_us()
for _ in range(240):
    pixels(row)
last, end = dma.count, time.ticks_us()
dma.close()
print(first - last, time.ticks_diff(end, begin))
""",
    )
    samples, us = (int(number) for number in printed.split())
    assert us > 240 * 640 * 8 / 62.5
    assert abs(samples - us / 1000) <= 1
    assert cabinet.panel.picture().tobytes() == Image.new("RGB", (320, 240), (0, 255, 0)).tobytes()


def test_outputs_light_lamps_at_the_moment_of_the_latch(run, cabinet):
    run(
        OUTPUT_CHAIN,
        """
show("LAMP_START", "TOWER_LIGHT")
time.sleep_ms(10)
show("BELL")
""",
    )
    (on_us, on), (off_us, off) = cabinet.lamps["START"].log
    assert (on, off) == (True, False)
    assert 10_000 <= off_us - on_us < 12_000
    assert cabinet.bell.on
    assert [event.us for event in cabinet.safety_log.events if event.line == "BELL" and event.active] == [off_us]
    assert not cabinet.tower_light.on


def test_counters_count_what_is_slow_enough(run, cabinet):
    run(
        OUTPUT_CHAIN,
        """
for on_ms, off_ms in ((50, 50), (50, 50), (30, 50), (50, 20), (50, 50)):
    show("COUNTER_GAMES"); time.sleep_ms(on_ms)
    show(); time.sleep_ms(off_ms)
""",
    )
    games = cabinet.counters["GAMES"]
    assert (games.count, games.missed) == (3, 2)
    assert cabinet.counters["COIN_IN"].log == []


def test_coin_acceptor_is_counted_by_the_chip(run, pico, cabinet):
    source = """
line = Pin({COIN_IN}, Pin.IN)
inhibit = Pin({COIN_INHIBIT}, Pin.OUT, value={COIN_INHIBIT_ACTIVE_LOW})
widths = []
ready(1)
while len(widths) < 3:
    widths.append(machine.time_pulse_us(line, not {COIN_IN_ACTIVE_LOW}, 1_000_000))
inhibit(not {COIN_INHIBIT_ACTIVE_LOW})
time.sleep_ms(500)
print(widths)
"""
    cabinet.coin_acceptor.insert()
    assert cabinet.coin_acceptor.returned == 1, "inhibited before the chip says otherwise"
    pico.pins.watch(READY, lambda level: level and cabinet.coin_acceptor.insert(coins=5, pulse_ms=20, gap_ms=20))
    widths = eval(run(source))
    assert len(widths) == 3
    assert all(abs(width - 20_000) < 100 for width in widths)
    assert cabinet.coin_acceptor.accepted == 3
    assert cabinet.coin_acceptor.returned == 3
    assert [state for _, state in cabinet.coin_acceptor.log] == ["inhibited", "enabled", "inhibited"]


def test_safety_log_sees_a_careless_program_and_its_reset(run, pico, cabinet):
    run(
        OUTPUT_CHAIN,
        """
Pin({HOPPER_MOTOR}, Pin.OUT, value=not {HOPPER_MOTOR_ACTIVE_LOW})
Pin({COIN_INHIBIT}, Pin.OUT, value={COIN_INHIBIT_ACTIVE_LOW})
show("COUNTER_COIN_IN", "LAMP_BET")
time.sleep_ms(20)
""",
    )
    found = [line.split(" from ")[0] for line in cabinet.safety_violations()]
    assert sorted(found) == ["coil of counter COIN_IN on", "coins accepted", "hopper motor on"]
    reset_us = reset_chip(pico)
    pico.run_for(200_000)
    assert cabinet.safety_violations(reset_us) == []
    assert not cabinet.hopper_motor.on
    assert cabinet.coin_acceptor.inhibited
    assert not cabinet.lamps["BET"].on


def test_power_on_to_prompt_is_safe(pico, cabinet):
    assert pico.console.exec("print(1 + 1)").strip() == "2"
    assert cabinet.safety_violations() == []


def test_service_port_carries_lines_both_ways(run, cabinet):
    cabinet.service.send(b"status\n")
    printed = run(
        """
uart = machine.UART(0, {SERVICE_BAUD}, tx=Pin({SERVICE_TX}), rx=Pin({SERVICE_RX}))
uart.write("ready\\r\\ncredit 100\\r\\n")
time.sleep_ms(20)
"""
    )
    assert printed == ""
    assert cabinet.service.lines() == ["ready", "credit 100"]


def test_the_same_run_gives_the_same_times(firmware_uf2, board):
    def events():
        pico = Pico(flash_bytes([firmware_uf2]))
        cabinet = Cabinet(pico, board)
        source = OUTPUT_CHAIN + "show('COUNTER_GAMES'); time.sleep_ms(50); show()"
        for name, value in vars(board).items():
            source = source.replace(f"{{{name}}}", repr(value))
        pico.console.exec("from machine import Pin\nimport time\n" + source)
        return cabinet.safety_log.events

    first = events()
    assert len(first) > 20
    assert events() == first
