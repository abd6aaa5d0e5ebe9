"""Complete rounds of the four games as compiled loops: what is drawn, shown, paid and won, by firmware/rules/ROUNDS.md.

All loops are in this one file because numba looks only at a function's own file to find that its cache is stale.
Amounts are whole coins at line bet 1 and all lines. A window is 15 symbol ids, cell = 3 x reel + row.

Draws: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021), its words
cut into 16-bit pieces, each scaled without bias (Lemire, "Fast random integer generation in an interval", ACM TOMACS
2019). The firmware draws from SHA-256 instead. With recorded draws given, the loops replay those, so that a round can
be compared with the same round on the reference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compiled import jit

Ints = Any
"""A numpy array of int64; the shape is stated where it is declared."""

_WORD, _PIECES, _NEXT = 4, 5, 6  # in a random state, behind the four words of xoshiro256++
RANDOM_WORDS = 7

_SEVENTEEN, _NINETEEN = np.uint64(17), np.uint64(19)
_TWENTY_THREE, _FORTY_ONE, _FORTY_FIVE = np.uint64(23), np.uint64(41), np.uint64(45)
_ZERO, _ONE, _FOUR, _SIXTEEN = np.uint64(0), np.uint64(1), np.uint64(4), np.uint64(16)
_PIECE = np.uint64(0xFFFF)

_LOW_BITS = 32
_LOW = (1 << _LOW_BITS) - 1


class Strips(NamedTuple):
    """The reels of a game in each mode.

    Attributes:
        lengths: [mode, reel] stops.
        windows: [mode, reel, stop, row] symbol ids as they are evaluated: what turns a whole reel into one symbol
            depends on that reel alone, so it is done here.
        marks: [mode, reel, stop] a number that is added up over the reels, packed as the game likes.
        cells: [line, reel] the cell that a line crosses.
        steps: [mode, state, symbol] the line machine of each mode.
    """

    lengths: Ints
    windows: Ints
    marks: Ints
    cells: Ints
    steps: Ints


class Tally(NamedTuple):
    """What was counted in a run of rounds.

    Attributes:
        won: [source] coins of the present round; zeros between rounds.
        wins: [source] coins.
        squares_low, squares_high: [source, the round's total last] sums of the low 32 bits and of the rest of each
            round's squared win: no sum of a chunk can pass 63 bits so.
        triggers: [trigger] times.
        edges: [bin - 1] lowest win of each bin but the first.
        histogram: [bin] rounds by total win.
        extremes: rounds whose paid spin won something, the largest total win.
    """

    won: Ints
    wins: Ints
    squares_low: Ints
    squares_high: Ints
    triggers: Ints
    edges: Ints
    histogram: Ints
    extremes: Ints


class MadHattersTables(NamedTuple):
    """Mad Hatters; modes are 0 base, 1 to 3 free spins with hatter 0 to 2; marks are Bunnies + 16 x clocks by reel.

    Attributes:
        scatter: [mode, Bunnies] coins.
        free_spins: [Bunnies] spins.
        picks: [reels with a clock as bits] picks of the Cuckoo bonus.
        values, weights: [entry] of a clock.
        hatter: [0] the hatter that is always chosen, or -1 for one at random.
    """

    strips: Strips
    scatter: Ints
    free_spins: Ints
    picks: Ints
    values: Ints
    weights: Ints
    hatter: Ints


class MadMadMonkeyTables(NamedTuple):
    """Mad Mad Monkey; modes are 0 base, 1 free spins; marks are Logos.

    Attributes:
        scatter: [Logos] coins.
        award: [Logos] free spins.
        limit: [0] free spins of one feature.
    """

    strips: Strips
    scatter: Ints
    award: Ints
    limit: Ints


class HauntedHouseTables(NamedTuple):
    """Haunted House; modes are 0 base, 1 free spins; marks are scatters + 16 x sum of icons.

    Attributes:
        scatter: [scatters] coins.
        free_spins_from: [0] scatters.
        spins, spin_weights: [entry] of the number trail.
        trail: [sum of icons] coins, -1 where Full Moon Money starts; 0 for no icons.
        multipliers, features, weights: [segment, entry] of Full Moon Money; feature 0 is collect, 1 repeat, 2 advance;
            weight 0 pads a segment.
        limits: cashpot, free spins of one feature.
    """

    strips: Strips
    scatter: Ints
    free_spins_from: Ints
    spins: Ints
    spin_weights: Ints
    trail: Ints
    multipliers: Ints
    features: Ints
    weights: Ints
    limits: Ints


class SantaVsRudolfTables(NamedTuple):
    """Santa vs Rudolf; modes are those of the tables; marks are Rudolfs + 8 x Santas, each as bits of the rows.

    Attributes:
        wild: [0] id of the symbol that is shown where a wild walks.
        awards: free spins for a merge in the main game, their limit for a spin, for a merge in free spins, limit of one
            session.
        meter: [0] spaces.
        prizes: [set, item] coins of the three prizes.
        max_multiplier: [0] of the gifts.
        rudolf_spins: spins, Reindeer Wilds, cap in coins.
    """

    strips: Strips
    wild: Ints
    awards: Ints
    meter: Ints
    prizes: Ints
    max_multiplier: Ints
    rudolf_spins: Ints


@jit
def _next_word(random: Any) -> Any:
    """The next 64 bits of xoshiro256++."""
    mixed = random[0] + random[3]
    result = ((mixed << _TWENTY_THREE) | (mixed >> _FORTY_ONE)) + random[0]
    shifted = random[1] << _SEVENTEEN
    random[2] ^= random[0]
    random[3] ^= random[1]
    random[1] ^= random[2]
    random[0] ^= random[3]
    random[2] ^= shifted
    random[3] = (random[3] << _FORTY_FIVE) | (random[3] >> _NINETEEN)
    return result


@jit
def _below(random: Any, draws: Ints, n: int) -> int:
    """A number from 0 to n - 1, each with the same probability; n is at most 65,536.

    `draws` [draw, 2] holds recorded draws, each its n and the number, or none.
    """
    if len(draws):
        at = np.int64(random[_NEXT])
        random[_NEXT] += _ONE
        if at >= len(draws) or draws[at, 0] != n:
            raise ValueError("the recorded draws are not those of this round")
        recorded: int = draws[at, 1]
        return recorded
    while True:
        if random[_PIECES] == _ZERO:
            random[_WORD] = _next_word(random)
            random[_PIECES] = _FOUR
        product: Any = np.int64(random[_WORD] & _PIECE) * n
        random[_WORD] >>= _SIXTEEN
        random[_PIECES] -= _ONE
        low = product & 0xFFFF
        if low >= n or low >= 65536 % n:  # the first test spares the division
            number: int = product >> 16
            return number


@jit
def _weighted(random: Any, draws: Ints, weights: Ints) -> int:
    """The position of an entry, drawn with the probability of its weight."""
    number = _below(random, draws, weights.sum())
    at = 0
    while number >= weights[at]:
        number -= weights[at]
        at += 1
    return at


@jit
def _shuffle(random: Any, draws: Ints, things: Ints, wanted: int) -> None:
    """Bring a random choice of the things, in random order, to the first `wanted` places."""
    for i in range(wanted):
        j = i + _below(random, draws, len(things) - i)
        kept = things[i]
        things[i] = things[j]
        things[j] = kept


@jit
def _spin(random: Any, draws: Ints, strips: Strips, mode: int, window: Ints) -> int:
    """Draw five stops, fill the window with what they show and return the sum of their marks."""
    marks = 0
    for reel in range(5):
        stop = _below(random, draws, strips.lengths[mode, reel])
        for row in range(3):
            window[3 * reel + row] = strips.windows[mode, reel, stop, row]
        marks += strips.marks[mode, reel, stop]
    return marks


@jit
def _lines(strips: Strips, mode: int, window: Ints) -> int:
    """Coins of all lines, read from the left."""
    coins = 0
    for line in range(len(strips.cells)):
        state = strips.steps[mode, 0, window[strips.cells[line, 0]]]
        reel = 1
        while state > 0:
            state = strips.steps[mode, state, window[strips.cells[line, reel]]]
            reel += 1
        coins -= state
    return coins


@jit
def _lines_both_ways(strips: Strips, mode: int, window: Ints) -> int:
    """Coins of all lines, each read from the side that pays more."""
    coins = 0
    for line in range(len(strips.cells)):
        left = strips.steps[mode, 0, window[strips.cells[line, 0]]]
        reel = 1
        while left > 0:
            left = strips.steps[mode, left, window[strips.cells[line, reel]]]
            reel += 1
        right = strips.steps[mode, 0, window[strips.cells[line, 4]]]
        reel = 3
        while right > 0:
            right = strips.steps[mode, right, window[strips.cells[line, reel]]]
            reel -= 1
        coins -= min(left, right)
    return coins


@jit
def _add_square(tally: Tally, at: int, coins: int) -> None:
    square = coins * coins
    tally.squares_low[at] += square & _LOW
    tally.squares_high[at] += square >> _LOW_BITS


@jit
def _end_round(tally: Tally, hit: bool) -> None:
    """Count the round that `tally.won` holds, and clear it for the next."""
    total = 0
    for source in range(len(tally.won)):
        coins = tally.won[source]
        if coins:
            total += coins
            tally.wins[source] += coins
            _add_square(tally, source, coins)
            tally.won[source] = 0
    if total:
        _add_square(tally, len(tally.won), total)
    at = 0
    while at < len(tally.edges) and total >= tally.edges[at]:
        at += 1
    tally.histogram[at] += 1
    if hit:
        tally.extremes[0] += 1
    tally.extremes[1] = max(tally.extremes[1], total)


@jit
def mad_hatters(rounds: int, random: Any, draws: Ints, game: MadHattersTables, tally: Tally) -> None:
    """Play rounds of Mad Hatters.

    Sources: lines, scatter, cuckoo, then the same of free spins. Triggers: free spins, Cuckoo bonus in the base game,
    in free spins.
    """
    window = np.empty(15, np.int64)
    for _ in range(rounds):
        marks = _spin(random, draws, game.strips, 0, window)
        tally.won[0] = _lines(game.strips, 0, window)
        tally.won[1] = game.scatter[0, marks & 15]
        picks = game.picks[marks >> 4]
        if picks:
            tally.won[2] = _cuckoo(random, draws, game, picks)
            tally.triggers[1] += 1
        hit = tally.won[0] + tally.won[1] + tally.won[2] > 0
        spins = game.free_spins[marks & 15]
        if spins:
            tally.triggers[0] += 1
            hatter = game.hatter[0]
            if hatter < 0:
                hatter = _below(random, draws, 3)
            for _ in range(spins):
                marks = _spin(random, draws, game.strips, 1 + hatter, window)
                tally.won[3] += _lines(game.strips, 1 + hatter, window)
                tally.won[4] += game.scatter[1, marks & 15]
                picks = game.picks[marks >> 4]
                if picks:
                    tally.won[5] += _cuckoo(random, draws, game, picks)
                    tally.triggers[2] += 1
        _end_round(tally, hit)


@jit
def _cuckoo(random: Any, draws: Ints, game: MadHattersTables, picks: int) -> int:
    values = np.empty(5, np.int64)
    for clock in range(5):
        values[clock] = game.values[_weighted(random, draws, game.weights)]
    coins = 0
    for unpicked in range(5, 5 - picks, -1):
        at = _below(random, draws, unpicked)
        coins += values[at]
        for clock in range(at, unpicked - 1):
            values[clock] = values[clock + 1]
    return coins


@jit
def mad_mad_monkey(rounds: int, random: Any, draws: Ints, game: MadMadMonkeyTables, tally: Tally) -> None:
    """Play rounds of Mad Mad Monkey without the gamble.

    Sources: lines, scatter, then the same of free spins. Triggers: free spins, retriggers.
    """
    window = np.empty(15, np.int64)
    for _ in range(rounds):
        logos = _spin(random, draws, game.strips, 0, window)
        tally.won[0] = _lines(game.strips, 0, window)
        tally.won[1] = game.scatter[logos]
        hit = tally.won[0] + tally.won[1] > 0
        awarded = min(game.award[logos], game.limit[0])
        if awarded:
            tally.triggers[0] += 1
        played = 0
        while played < awarded:
            played += 1
            logos = _spin(random, draws, game.strips, 1, window)
            tally.won[2] += _lines(game.strips, 1, window)
            tally.won[3] += game.scatter[logos]
            if game.award[logos]:
                tally.triggers[1] += 1
                awarded = min(awarded + game.award[logos], game.limit[0])
        _end_round(tally, hit)


@jit
def haunted_house(rounds: int, random: Any, draws: Ints, game: HauntedHouseTables, tally: Tally) -> None:
    """Play rounds of Haunted House.

    Sources: lines, scatter, trail, Full Moon Money, then the same of free spins. Triggers: free spins, retriggers, a
    level of the trail that pays, the same in the base game, Full Moon Money, the same in the base game.
    """
    window = np.empty(15, np.int64)
    for _ in range(rounds):
        hit = False
        awarded = 0
        played = -1  # the paid spin is played before any free spin
        while played < awarded:
            free = played >= 0
            played += 1
            marks = _spin(random, draws, game.strips, int(free), window)
            scatters = marks & 15
            at = 4 * free
            tally.won[at] += _lines(game.strips, int(free), window)
            tally.won[at + 1] += game.scatter[scatters]
            level = game.trail[marks >> 4]
            if level > 0:
                tally.won[at + 2] += level
                tally.triggers[2] += 1
                tally.triggers[3] += not free
            elif level < 0:
                tally.won[at + 3] += _full_moon(random, draws, game)
                tally.triggers[4] += 1
                tally.triggers[5] += not free
            if not free:
                hit = tally.won[:4].sum() > 0
            if scatters >= game.free_spins_from[0]:
                awarded = min(awarded + game.spins[_weighted(random, draws, game.spin_weights)], game.limits[1])
                tally.triggers[int(free)] += 1
        _end_round(tally, hit)


@jit
def _full_moon(random: Any, draws: Ints, game: HauntedHouseTables) -> int:
    cashpot = 0
    segment = 0
    while cashpot < game.limits[0]:
        entry = _weighted(random, draws, game.weights[segment])
        cashpot = min(cashpot + game.multipliers[segment, entry], game.limits[0])
        feature = game.features[segment, entry]
        if feature == 0:
            break
        if feature == 2:
            segment += 1
    return cashpot


_REEL_1, _REEL_5, _ALL_CELLS = 0b111, 0b111 << 12, (1 << 15) - 1  # a set of cells: bit = cell


@jit
def _cells_in(cells: int) -> int:
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


@jit
def _wild_spin(
    random: Any, draws: Ints, game: SantaVsRudolfTables, mode: int, rudolfs: int, santas: int, window: Ints
) -> tuple[int, int, int, int]:
    """Draw and pay one spin under the wilds that walked onto these sets of cells.

    Returns:
        Coins; sets of cells of the Rudolfs and of the Santas that walk on; merges.
    """
    landed_rudolfs = 0
    landed_santas = 0
    for reel in range(5):
        stop = _below(random, draws, game.strips.lengths[mode, reel])
        for row in range(3):
            window[3 * reel + row] = game.strips.windows[mode, reel, stop, row]
        mark = game.strips.marks[mode, reel, stop]
        landed_rudolfs |= (mark & 7) << 3 * reel
        landed_santas |= (mark >> 3) << 3 * reel
    covered = rudolfs | santas
    if covered:
        for cell in range(15):
            if covered >> cell & 1:
                window[cell] = game.wild[0]
    merged = rudolfs & santas
    rudolfs = (rudolfs & ~merged) | (landed_rudolfs & ~covered)
    santas = (santas & ~merged) | (landed_santas & ~covered)
    return _lines_both_ways(game.strips, mode, window), rudolfs, santas, _cells_in(merged)


@jit
def santa_vs_rudolf(rounds: int, random: Any, draws: Ints, game: SantaVsRudolfTables, tally: Tally) -> None:
    """Play rounds of Santa vs Rudolf.

    Sources: lines of the paid spin, of its re-spins, of free spins; gifts; Rudolf Spins. Triggers: sessions of free
    spins, merges in the main game, merges in free spins, gifts, Rudolf Spins, one of these two.
    """
    window = np.empty(15, np.int64)
    for _ in range(rounds):
        coins, rudolfs, santas, merges = _wild_spin(random, draws, game, 0, 0, 0, window)
        tally.won[0] = coins
        hit = coins > 0
        while rudolfs | santas:
            rudolfs = rudolfs << 3 & _ALL_CELLS
            santas >>= 3
            coins, rudolfs, santas, merges = _wild_spin(random, draws, game, 1, rudolfs, santas, window)
            tally.won[1] += coins
            if merges:
                tally.triggers[0] += 1
                tally.triggers[1] += merges
                _session(random, draws, game, tally, min(merges * game.awards[0], game.awards[1]), window)
        _end_round(tally, hit)


@jit
def _session(random: Any, draws: Ints, game: SantaVsRudolfTables, tally: Tally, awarded: int, window: Ints) -> None:
    """Play the free spins that a spin of the main game awarded, and the bonus of a full meter."""
    awarded = min(awarded, game.awards[3])
    played = 0
    rudolf_meter = 0
    santa_meter = 0
    while played < awarded:
        played += 1
        coins, rudolfs, santas, merges = _wild_spin(random, draws, game, 2, 0, 0, window)
        tally.won[2] += coins
        while rudolfs | santas:
            # Rudolfs are counted before Santas; once one meter is full the other takes no more.
            for _ in range(_cells_in(rudolfs & _REEL_5)):
                if rudolf_meter < game.meter[0] and santa_meter < game.meter[0]:
                    rudolf_meter += 1
            for _ in range(_cells_in(santas & _REEL_1)):
                if rudolf_meter < game.meter[0] and santa_meter < game.meter[0]:
                    santa_meter += 1
            rudolfs = rudolfs << 3 & _ALL_CELLS
            santas >>= 3
            coins, rudolfs, santas, merges = _wild_spin(random, draws, game, 3, rudolfs, santas, window)
            tally.won[2] += coins
            if merges:
                tally.triggers[2] += merges
                awarded = min(awarded + merges * game.awards[2], game.awards[3])
    if santa_meter == game.meter[0]:
        tally.triggers[5] += 1
        tally.triggers[3] += 1
        tally.won[3] += _gifts(random, draws, game)
    elif rudolf_meter == game.meter[0]:
        tally.triggers[5] += 1
        tally.triggers[4] += 1
        for _ in range(game.rudolf_spins[0]):
            tally.won[4] += _rudolf_spin(random, draws, game, window)


@jit
def _rudolf_spin(random: Any, draws: Ints, game: SantaVsRudolfTables, window: Ints) -> int:
    _spin(random, draws, game.strips, 4, window)
    cells = np.arange(15)
    _shuffle(random, draws, cells, game.rudolf_spins[1])
    for cell in cells[: game.rudolf_spins[1]]:
        window[cell] = game.wild[0]
    coins: int = min(_lines_both_ways(game.strips, 4, window), game.rudolf_spins[2])
    return coins


@jit
def _gifts(random: Any, draws: Ints, game: SantaVsRudolfTables) -> int:
    """Open gifts at random until the end item of the last set."""
    sets = len(game.prizes)
    layouts = np.empty((sets, 5), np.int64)
    for number in range(sets):
        layouts[number] = np.arange(5)
        _shuffle(random, draws, layouts[number], 4)
    offset = 1 + _below(random, draws, 4)
    coins = 0
    multiplier = 1
    for number in range(sets):
        layout = layouts[number]
        unpicked = np.arange(5)
        left = 5
        item = 0
        while item != 4:
            at = _below(random, draws, left)
            position = unpicked[at]
            left -= 1
            for place in range(at, left):
                unpicked[place] = unpicked[place + 1]
            if number == 0 and left == 4 and layout[position] == 4:  # the very first pick is not the end item
                other = (position + offset) % 5
                layout[position] = layout[other]
                layout[other] = 4
            item = layout[position]
            if item == 3:
                multiplier = min(multiplier + 1, game.max_multiplier[0])
            elif item < 3:
                coins += game.prizes[number, item]
    return coins * multiplier
