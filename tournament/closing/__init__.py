"""End of an event: prizes, characters played, closing report."""
