"""Why a trace could not be written, read or unsealed."""


class TraceError(Exception):
    """The trace room is broken. `code` is stable, `place` names the file, `next_step` says what to do."""

    def __init__(self, code: str, message: str, *, place: str = "", next_step: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.place = place
        self.next_step = next_step


class TraceUnwritable(TraceError):
    """A record could not be made durable, so no answer may leave."""


class TraceDamaged(TraceError):
    """A record on disk is not what was written, or no gateway of this version can read it."""


class CheckpointUnusable(TraceError):
    """A checkpoint cannot be read, or nobody whose key is known signed it."""


class KeysUnusable(TraceError):
    """The key store is missing, malformed or readable by others."""


class Unsealable(TraceError):
    """A sealed text cannot be opened: its key was destroyed, or it is not the text that was sealed."""


class IndexUnusable(TraceError):
    """The search index beside the traces cannot be read or written. No trace is touched by that."""
