"""The ST7789 panel against a pixel-by-pixel reading of the data sheet."""

import hashlib

import pytest
from PIL import Image

from host_tools.emulator.parts.panel import St7789Panel

CS, DC, RESET, BACKLIGHT = 17, 20, 21, 22
SWRESET, SLPIN, SLPOUT, NORON, INVOFF, INVON, DISPOFF, DISPON = 0x01, 0x10, 0x11, 0x13, 0x20, 0x21, 0x28, 0x29
CASET, RASET, RAMWR, MADCTL, COLMOD, RAMWRC = 0x2A, 0x2B, 0x2C, 0x36, 0x3A, 0x3C
MY, MX, MV, BGR = 0x80, 0x40, 0x20, 0x08
ORIENTATIONS = [my | mx | mv for my in (0, MY) for mx in (0, MX) for mv in (0, MV)]


class Driver:
    """A panel and the driver's side of its lines."""

    def __init__(self, bench, **options):
        self.bench = bench
        self.panel = St7789Panel(
            bench, bench.pins, cs_pin=CS, dc_pin=DC, reset_pin=RESET, backlight_pin=BACKLIGHT, **options
        )

    def command(self, code, *parameters):
        self.bench.pins.set(CS, 0)
        self.bench.pins.set(DC, 0)
        self.panel.write(bytes((code,)))
        self.bench.pins.set(DC, 1)
        if parameters:
            self.panel.write(bytes(parameters))
        self.bench.pins.set(CS, 1)

    def data(self, data):
        self.bench.pins.set(CS, 0)
        self.bench.pins.set(DC, 1)
        self.panel.write(data)
        self.bench.pins.set(CS, 1)

    def start(self, madctl=MX | MV):
        """The way from power-on to a lit panel that keeps every rule."""
        self.command(SWRESET)
        self.bench.run_for(120_000)
        self.command(SLPOUT)
        self.bench.run_for(120_000)
        self.command(COLMOD, 0x55)
        self.command(MADCTL, madctl)
        self.command(NORON)
        self.command(DISPON)
        self.bench.pins.set(BACKLIGHT, 1)

    def window(self, x0, y0, x1, y1):
        self.command(CASET, x0 >> 8, x0 & 255, x1 >> 8, x1 & 255)
        self.command(RASET, y0 >> 8, y0 & 255, y1 >> 8, y1 & 255)

    def fill(self, colour, madctl=MX | MV):
        width, height = (320, 240) if madctl & MV else (240, 320)
        self.window(0, 0, width - 1, height - 1)
        self.command(RAMWR)
        self.data(colour.to_bytes(2) * (320 * 240))


@pytest.fixture
def driver(bench):
    driver = Driver(bench)
    driver.start()
    return driver


def rgb(colour):
    return (colour >> 11) * 255 // 31, (colour >> 5 & 63) * 255 // 63, (colour & 31) * 255 // 31


def glass_place(madctl, x, y):
    """Row and column on the glass of the addressed pixel, from the table of the data sheet's chapter 8.12."""
    row, column = (x, y) if madctl & MV else (y, x)
    return 319 - row if madctl & MY else row, 239 - column if madctl & MX else column


def expected_picture(glass, upright):
    """The picture of `glass`, a dictionary of colours by (row, column), mounted for the MADCTL `upright`."""
    size = (320, 240) if upright & MV else (240, 320)
    image = Image.new("RGB", size)
    for y in range(size[1]):
        for x in range(size[0]):
            image.putpixel((x, y), rgb(glass[glass_place(upright, x, y)]))
    return image


def numbered(count, start=0):
    """`count` pixels, each of another colour."""
    return [(start + 7 * index) & 0xFFFF for index in range(count)]


def wire(pixels):
    return b"".join(pixel.to_bytes(2) for pixel in pixels)


@pytest.mark.parametrize("madctl", ORIENTATIONS)
def test_panel_addresses_the_glass_by_madctl(bench, madctl):
    driver = Driver(bench)
    driver.start(madctl)
    driver.fill(0x1234, madctl)
    driver.window(10, 20, 40, 31)
    driver.command(RAMWR)
    pixels = numbered(31 * 12)
    driver.data(wire(pixels))
    glass = {(row, column): 0x1234 for row in range(320) for column in range(240)}
    for index, pixel in enumerate(pixels):
        glass[glass_place(madctl, 10 + index % 31, 20 + index // 31)] = pixel
    assert driver.panel.picture().tobytes() == expected_picture(glass, MX | MV).tobytes()
    assert driver.panel.faults == []


@pytest.mark.parametrize("upright", ORIENTATIONS)
def test_panel_shows_upright_what_is_written_under_its_own_madctl(bench, upright):
    driver = Driver(bench, upright_madctl=upright)
    driver.start(upright)
    driver.fill(0, upright)
    driver.window(3, 2, 3, 2)
    driver.command(RAMWR)
    driver.data(b"\xff\xff")
    picture = driver.panel.picture()
    assert picture.size == ((320, 240) if upright & MV else (240, 320))
    assert picture.getpixel((3, 2)) == (255, 255, 255)
    assert picture.convert("1").getbbox() == (3, 2, 4, 3)


def test_panel_keeps_the_glass_when_madctl_changes(driver):
    driver.window(0, 0, 319, 239)
    driver.command(RAMWR)
    driver.data(wire(numbered(320 * 240)))
    before = driver.panel.sha256()
    for madctl in [*ORIENTATIONS, MX | MV]:
        driver.command(MADCTL, madctl)
        assert driver.panel.sha256() == before, hex(madctl)


def test_panel_expands_every_rgb565_colour(driver):
    driver.window(0, 0, 319, 239)
    driver.command(RAMWR)
    driver.data(wire(range(65536)))
    picture = driver.panel.picture()
    for colour in range(0, 65536, 31):
        assert picture.getpixel((colour % 320, colour // 320)) == rgb(colour)


def test_panel_bgr_swaps_red_and_blue_of_the_whole_picture(driver):
    driver.fill(0xF800)
    assert driver.panel.picture().getpixel((5, 5)) == (255, 0, 0)
    driver.command(MADCTL, MX | MV | BGR)
    assert driver.panel.picture().getpixel((5, 5)) == (0, 0, 255)


def test_panel_inversion_shows_the_complement(driver):
    driver.fill(0xF800)
    driver.command(INVON)
    assert driver.panel.picture().getpixel((5, 5)) == (0, 255, 255)
    driver.command(INVOFF)
    assert driver.panel.picture().getpixel((5, 5)) == (255, 0, 0)


def test_panel_inverted_glass_needs_invon(bench):
    driver = Driver(bench, inverted_glass=True)
    driver.start()
    driver.fill(0xF800)
    assert driver.panel.picture().getpixel((5, 5)) == (0, 255, 255)
    driver.command(INVON)
    assert driver.panel.picture().getpixel((5, 5)) == (255, 0, 0)


def is_black(panel):
    return panel.picture().getbbox() is None


def test_panel_is_black_while_off_asleep_or_dark(driver, bench):
    driver.fill(0xFFFF)
    panel = driver.panel
    assert not is_black(panel)
    driver.command(DISPOFF)
    assert is_black(panel)
    assert not panel.lit
    driver.command(DISPON)
    assert not is_black(panel)
    bench.pins.set(BACKLIGHT, 0)
    assert is_black(panel)
    bench.pins.set(BACKLIGHT, 1)
    driver.command(SLPIN)
    assert is_black(panel)
    bench.run_for(120_000)
    driver.command(SLPOUT)
    assert not is_black(panel), "the memory survives sleep"
    assert panel.faults == []


def test_panel_is_black_at_power_on_and_noisy_before_it_is_painted(bench):
    driver = Driver(bench)
    assert is_black(driver.panel)
    driver.start()
    assert len(set(driver.panel.picture().tobytes())) > 30


def test_panel_wraps_around_its_window(driver):
    driver.fill(0)
    driver.window(10, 10, 11, 11)
    driver.command(RAMWR)
    driver.data(wire([0xF800] * 4 + [0x07E0] * 2 + [0x001F]))
    picture = driver.panel.picture()
    colours = [picture.getpixel(place) for place in ((10, 10), (11, 10), (10, 11), (11, 11))]
    assert colours == [(0, 255, 0), (0, 255, 0), (0, 0, 255), (255, 0, 0)]
    assert picture.getbbox() == (10, 10, 12, 12)


@pytest.mark.parametrize(
    "window", [(0, 0, 319, 239), (0, 50, 319, 60), (7, 5, 66, 184), (319, 0, 319, 239), (5, 5, 5, 5)]
)
@pytest.mark.parametrize("sizes", [[1], [2], [3, 1], [7, 64, 1], [119, 121], [7200], [153_600], [99_999, 3]])
def test_panel_takes_any_split_of_the_data(bench, window, sizes):
    """Splits the same bytes in other places: the memory must be that of one byte after another."""
    driver = Driver(bench)
    driver.start()
    driver.fill(0)
    driver.window(*window)
    driver.command(RAMWR)
    x0, y0, x1, y1 = window
    area = (x1 - x0 + 1) * (y1 - y0 + 1)
    data = wire(numbered(min(area + area // 3, 4000) if max(sizes) < 1000 else area + area // 3 + 1))
    position = turn = 0
    while position < len(data):
        size = sizes[turn % len(sizes)]
        driver.data(data[position : position + size])
        position += size
        turn += 1
    expected = Image.new("RGB", (320, 240))
    for index in range(len(data) // 2):
        place = index % area
        colour = int.from_bytes(data[2 * index : 2 * index + 2])
        expected.putpixel((x0 + place % (x1 - x0 + 1), y0 + place // (x1 - x0 + 1)), rgb(colour))
    assert driver.panel.picture().tobytes() == expected.tobytes()


def test_panel_drops_half_a_pixel_at_the_next_command(driver):
    driver.fill(0)
    driver.window(0, 0, 9, 0)
    driver.command(RAMWR)
    driver.data(b"\xff\xff\xff")
    driver.command(RAMWR)
    driver.data(b"\xf8\x00")
    picture = driver.panel.picture()
    assert picture.getpixel((0, 0)) == (255, 0, 0)
    assert picture.getpixel((1, 0)) == (0, 0, 0)


def test_panel_ramwrc_goes_on_where_ramwr_stopped(driver):
    driver.fill(0)
    driver.window(0, 0, 9, 9)
    driver.command(RAMWR)
    driver.data(wire([0xFFFF] * 15))
    driver.command(RAMWRC)
    driver.data(wire([0xF800]))
    assert driver.panel.picture().getpixel((5, 1)) == (255, 0, 0)
    driver.window(20, 20, 29, 29)
    driver.command(RAMWRC)
    driver.data(wire([0x001F]))
    assert driver.panel.picture().getpixel((20, 20)) == (0, 0, 255)
    assert [fault.split(": ")[1] for fault in driver.panel.faults] == ["RAMWRC after the window was moved"]


def test_panel_parameters_may_come_byte_by_byte(driver):
    driver.fill(0)
    driver.command(CASET)
    for byte in (0, 100, 0, 101):
        driver.data(bytes((byte,)))
    driver.command(RASET, 0, 50, 0, 50)
    driver.command(RAMWR)
    driver.data(b"\xff\xff" * 2)
    assert driver.panel.picture().getbbox() == (100, 50, 102, 51)


def test_panel_ignores_an_incomplete_window(driver):
    driver.fill(0)
    driver.window(5, 5, 6, 6)
    driver.command(CASET, 0, 100, 0)
    driver.command(RAMWR)
    driver.data(b"\xff\xff" * 4)
    assert driver.panel.picture().getbbox() == (5, 5, 7, 7)


def test_panel_ignores_bytes_without_chip_select(driver, bench):
    driver.fill(0)
    before = driver.panel.sha256()
    driver.window(0, 0, 319, 239)
    driver.command(RAMWR)
    bench.pins.set(CS, 1)
    driver.panel.write(b"\xff" * 7200)
    bench.pins.set(DC, 0)
    driver.panel.write(bytes((DISPOFF,)))
    assert driver.panel.sha256() == before


def test_panel_chip_select_is_pulled_up(bench):
    driver = Driver(bench)
    driver.panel.write(bytes((RAMWR,)))
    assert (driver.panel.frames, driver.panel.faults) == (0, [])


def test_panel_counts_frames(driver):
    for _ in range(3):
        driver.fill(0)
    driver.command(RAMWRC)
    assert driver.panel.frames == 3


def test_panel_records_commands_it_does_not_know(driver):
    before = driver.panel.sha256()
    driver.command(0xB2, 0x0C, 0x0C, 0x00, 0x33, 0x33)
    driver.command(0x35, 0x00)
    assert driver.panel.unknown_commands == [0xB2, 0x35]
    assert driver.panel.sha256() == before


def faults(driver):
    return [fault.split(" ms: ", 1)[1] for fault in driver.panel.faults]


@pytest.mark.parametrize("colmod", [0x05, 0x66, 0x33])
def test_panel_refuses_other_pixel_formats(driver, colmod):
    driver.fill(0)
    driver.command(COLMOD, colmod)
    driver.command(RAMWR)
    driver.data(b"\xff" * 60)
    assert faults(driver) == [
        f"COLMOD 0x{colmod:02X}: the model takes 0x55 (RGB565) only",
        f"memory write with COLMOD 0x{colmod:02X}",
    ]
    assert is_black(driver.panel)


def test_panel_needs_colmod_after_a_hardware_reset(bench):
    driver = Driver(bench)
    driver.command(RAMWR)
    assert faults(driver) == ["memory write with COLMOD 0x66"]


@pytest.mark.parametrize("code", [SWRESET, SLPOUT])
def test_panel_wants_5_ms_after_reset_and_sleep_out(bench, code):
    driver = Driver(bench)
    driver.command(code)
    bench.run_for(4_999)
    driver.command(NORON)
    driver.command(NORON)
    name = {SWRESET: "SWRESET", SLPOUT: "SLPOUT"}[code]
    assert driver.panel.faults == [f"4.999 ms: command 0x13 within 5 ms of {name}"]


@pytest.mark.parametrize("code", [SWRESET, SLPOUT])
def test_panel_takes_commands_5_ms_after_reset_and_sleep_out(bench, code):
    driver = Driver(bench)
    driver.command(code)
    bench.run_for(5_000)
    driver.command(NORON)
    assert driver.panel.faults == []


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (SWRESET, SLPOUT, "SLPOUT within 120 ms of SWRESET"),
        (SLPOUT, SLPIN, "SLPIN within 120 ms of SLPOUT"),
        (SLPOUT, SWRESET, "SWRESET within 120 ms of SLPOUT"),
    ],
)
@pytest.mark.parametrize("wait_us", [119_999, 120_000])
def test_panel_wants_120_ms_between_sleep_and_wake(bench, first, second, text, wait_us):
    driver = Driver(bench)
    driver.command(first)
    bench.run_for(wait_us)
    driver.command(second)
    assert faults(driver) == ([text] if wait_us < 120_000 else [])


def test_panel_wants_120_ms_from_sleep_to_wake(driver, bench):
    driver.command(SLPIN)
    bench.run_for(119_999)
    driver.command(SLPOUT)
    assert faults(driver) == ["SLPOUT within 120 ms of SLPIN"]


@pytest.mark.parametrize("window", [(0, 0, 320, 239), (10, 0, 9, 239), (0, 240, 10, 240)])
def test_panel_records_a_window_outside_its_memory(driver, window):
    driver.window(*window)
    assert len(driver.panel.faults) == 1
    assert "is not a range within 0.." in driver.panel.faults[0]
    driver.command(RAMWR)
    driver.data(b"\xff\xff" * 5000)


def reset_pulse(bench, us):
    bench.pins.set(RESET, 0)
    bench.run_for(us)
    bench.pins.set(RESET, 1)


def test_panel_reset_line_turns_it_off_and_keeps_the_memory(driver, bench):
    driver.fill(0xFFFF)
    before = driver.panel.sha256()
    driver.command(INVON)
    reset_pulse(bench, 10)
    assert is_black(driver.panel)
    bench.run_for(120_000)
    driver.start()
    assert driver.panel.sha256() == before
    assert driver.panel.faults == []


def test_panel_reset_puts_madctl_back(driver, bench):
    driver.fill(0)
    reset_pulse(bench, 10)
    bench.run_for(120_000)
    driver.command(SLPOUT)
    bench.run_for(5_000)
    driver.command(COLMOD, 0x55)
    driver.command(DISPON)
    driver.command(RAMWR)
    driver.data(b"\xff\xff")
    glass_white = glass_place(0, 0, 0)
    picture = driver.panel.picture()
    (left, top, _, _) = picture.getbbox()
    assert glass_place(MX | MV, left, top) == glass_white


def test_panel_reset_line_may_interrupt_a_wake_up(bench):
    driver = Driver(bench)
    driver.command(SLPOUT)
    bench.run_for(10_000)
    reset_pulse(bench, 10)
    assert driver.panel.faults == []


def test_panel_ignores_a_reset_pulse_that_is_too_short(driver, bench):
    reset_pulse(bench, 9)
    assert driver.panel.lit
    assert faults(driver) == ["RESX low for 9.0 us only: 10 us are a reset"]


def test_panel_does_not_listen_while_it_is_held_in_reset(driver, bench):
    bench.pins.set(RESET, 0)
    bench.run_for(100)
    driver.command(DISPOFF)
    assert faults(driver) == ["SPI write while RESX is low"]


def test_panel_wants_its_waits_after_the_reset_line(driver, bench):
    reset_pulse(bench, 10)
    bench.run_for(4_999)
    driver.command(NORON)
    bench.run_for(100_000)
    driver.command(SLPOUT)
    assert faults(driver) == ["command 0x13 within 5 ms of RESX", "SLPOUT within 120 ms of RESX"]


def test_panel_reset_line_is_pulled_up_when_the_chip_resets(driver, bench):
    driver.fill(0xFFFF)
    bench.reset()
    assert not driver.panel.lit, "the backlight is pulled down"
    bench.pins.set(BACKLIGHT, 1)
    assert driver.panel.lit, "a chip reset does not reset the panel"
    assert driver.panel.faults == []


def test_panel_png_holds_the_picture_in_its_scale(driver, tmp_path):
    driver.fill(0)
    driver.window(1, 2, 1, 2)
    driver.command(RAMWR)
    driver.data(b"\xff\xff")
    driver.panel.png(tmp_path / "one.png")
    driver.panel.png(tmp_path / "three.png", scale=3)
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "three.png") as three:
        assert one.tobytes() == driver.panel.picture().tobytes()
        assert three.size == (960, 720)
        assert three.getbbox() == (3, 6, 6, 9)


def test_panel_sha256_is_that_of_the_picture(driver):
    driver.fill(0x07E0)
    expected = hashlib.sha256(Image.new("RGB", (320, 240), (0, 255, 0)).tobytes()).hexdigest()
    assert driver.panel.sha256() == expected
