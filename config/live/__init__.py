"""Live updates.

Streams send a page the current version of an event, and the page fetches the rest. Read the modules in this
order: bus (when to poll), versions (what is current), watcher (who listens), event_streams (what is sent).
"""

from config.live.event_streams import LiveStreams
from config.live.watcher import Listener, VersionWatcher

__all__ = ["Listener", "LiveStreams", "VersionWatcher"]
