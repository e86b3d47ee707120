"""Readers of rules documents: what they say about single cards. No Django, no database.

    document = read_ufs(text)
    document.paragraphs    # the cards and the wording of each paragraph that could be read
    document.unread        # what could not be read, each with its paragraph and the reason

A paragraph that does not name a card in the notation of the game is listed as unread.
"""
