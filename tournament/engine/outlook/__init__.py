"""What can still happen: who is in the cut, who can make it, who may draw and be safe."""
