"""Live changes: streams that tell a page which version of an event holds; the page fetches what it needs.

Read the modules in this order: bus (when to look), versions (what holds), hub (who wants to know), streams
(how they are told).
"""

from config.live.event_streams import LiveStreams
from config.live.watcher import Hub, Listener

__all__ = ["Hub", "Listener", "LiveStreams"]
