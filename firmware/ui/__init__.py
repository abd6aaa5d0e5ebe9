"""What is drawn. Screens draw from the state they are given and change nothing else."""
