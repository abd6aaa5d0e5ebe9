"""What an auditor needs: a game's numbers, single rounds, seeds of rare rounds, and the proof that all versions of the
rules agree."""
