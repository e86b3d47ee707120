"""Pages. A view fetches through selectors, calls one service, renders one template."""
