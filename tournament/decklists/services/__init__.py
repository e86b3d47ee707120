"""Write decklists: submit and answer, check exchanges, recheck, notify."""
