"""What the cabinet does around the rules: credit, counters, coins, buttons, the game loop. No hardware is touched here:
drivers are passed in, time comes from the tasks."""
