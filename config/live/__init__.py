"""Live changes: streams that tell a page which version of an event holds; the page fetches what it needs.

Read the modules in this order: bus (when to look), versions (what holds), hub (who wants to know), streams
(how they are told).
"""

from config.live.hub import Hub, Listener
from config.live.streams import LiveStreams

__all__ = ["Hub", "Listener", "LiveStreams"]
