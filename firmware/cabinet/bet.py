"""What the player bets: coin size, lines, coins per line, as far as the game and the credit allow (G-05)."""

_LINE_STEPS = (1, 5, 10, 15, 20, 25, 30, 40, 50)


class BetChoice:
    """The bet of the next round of one game.

    Args:
        game: the rules' module of the game.
    """

    def __init__(self, game):
        self._coins = game.COIN_SIZES_MINOR
        self._line_choices = (
            (game.MAX_LINES,) if game.LINES_FIXED else tuple(step for step in _LINE_STEPS if step <= game.MAX_LINES)
        )
        self._max_line_bet = game.MAX_LINE_BET
        self._coin = 0
        self._line = len(self._line_choices) - 1
        self.line_bet = 1

    @property
    def coin_minor(self):
        """The chosen coin size in minor units."""
        return self._coins[self._coin]

    @property
    def lines(self):
        """Enabled lines."""
        return self._line_choices[self._line]

    @property
    def stake_minor(self):
        """The stake of the next round in minor units."""
        return self.lines * self.line_bet * self.coin_minor

    def next_lines(self):
        """The next number of lines; in a game of fixed lines the next line bet."""
        if len(self._line_choices) == 1:
            self.line_bet = self.line_bet % self._max_line_bet + 1
        else:
            self._line = (self._line + 1) % len(self._line_choices)

    def next_bet(self):
        """The next line bet where the game has several, and after the largest the next coin size."""
        if self.line_bet < self._max_line_bet and len(self._line_choices) > 1:
            self.line_bet += 1
            return
        if len(self._line_choices) > 1:
            self.line_bet = 1
        self._coin = (self._coin + 1) % len(self._coins)

    def most(self, credit_minor):
        """All lines, and the largest coin size and line bet that the credit covers."""
        self._line = len(self._line_choices) - 1
        self.line_bet = self._max_line_bet
        self._coin = len(self._coins) - 1
        while self._coin and self.stake_minor > credit_minor:
            self._coin -= 1
        while self.line_bet > 1 and self.stake_minor > credit_minor:
            self.line_bet -= 1
