"""The credit and the soft meters, in minor currency units (CAB-01, CAB-02)."""


class Ledger:
    """Every movement of money goes through here, so that credit = coins in - stakes + voided + wins always holds.

    Attributes:
        credit_minor: what can be wagered.
        coins_minor: money in by coin.
        stakes_minor, wins_minor: the meters called coin in and coin out; wins are what reaches the credit.
        voided_minor: stakes given back after a malfunction.
        games: rounds played.
        gamble_in_minor, gamble_out_minor: statistics of the gamble, outside the identity (MM-12).
    """

    def __init__(self):
        self.credit_minor = 0
        self.coins_minor = 0
        self.stakes_minor = 0
        self.wins_minor = 0
        self.voided_minor = 0
        self.games = 0
        self.gamble_in_minor = 0
        self.gamble_out_minor = 0

    def coin(self, value_minor):
        """A valid coin: credit rises at once."""
        self.coins_minor += value_minor
        self.credit_minor += value_minor

    def stake(self, stake_minor):
        """The bet of a game leaves the credit.

        Raises:
            ValueError: the credit does not cover the stake, or the meters do not balance.
        """
        self.audit()
        if not 0 < stake_minor <= self.credit_minor:
            raise ValueError("the credit does not cover the stake")
        self.credit_minor -= stake_minor
        self.stakes_minor += stake_minor
        self.games += 1

    def void(self, stake_minor):
        """A malfunction: the stake of the game goes back to the credit and nothing is paid (G-01)."""
        self.voided_minor += stake_minor
        self.credit_minor += stake_minor

    def gamble(self, stake_minor, result_minor):
        """One gamble of a win that is not on the credit yet: counted, nothing moves."""
        self.gamble_in_minor += stake_minor
        self.gamble_out_minor += result_minor

    def win(self, win_minor):
        """The round's win joins the credit, once, at the round's end (G-08)."""
        self.wins_minor += win_minor
        self.credit_minor += win_minor

    def audit(self):
        """Raises ValueError when credit and meters do not balance (CAB-02)."""
        if self.credit_minor != self.coins_minor - self.stakes_minor + self.voided_minor + self.wins_minor:
            raise ValueError("credit and meters do not balance")
