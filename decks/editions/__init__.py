"""What can be said of an edition of a list without a database: content, differences, problems, words."""
