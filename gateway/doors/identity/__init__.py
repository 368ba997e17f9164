"""Who is asking: from a credential to a caller, at every door."""

from gateway.doors.identity.callers import Callers as Callers
from gateway.doors.identity.callers import digest_of as digest_of
from gateway.doors.identity.callers import require_tokens as require_tokens
