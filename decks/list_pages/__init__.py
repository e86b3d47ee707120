"""The pages and the API of dated lists: what holds since when, and the console of those who keep them."""
