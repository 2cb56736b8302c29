"""A request that comes from the page itself, of this server and of no other.

A browser is asked by every page that is open in it. Three questions keep others out: was this
server meant (Host, against DNS rebinding), does the page that asks belong to it (Origin and
Sec-Fetch-Site, against requests from other sites), and does the visitor know the secret that was
printed at the start (the token, against other users of the machine).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest

from fairvec.web.guards.passes import SinglePasses
from fairvec.web.guards.refusal import Refusal

WELCOME = "/welcome"
"""The address that is printed: it takes the token out of the bar and puts it into a cookie."""

LOCAL_NAMES = ("127.0.0.1", "localhost")
"""What a browser may call a server on loopback."""

OWN_SITE = ("same-origin", "none")
"""What a browser says of a page's own requests, and of those that a person types."""

JSON = "application/json"
"""A page of another site cannot send this kind of text without asking first."""

METHODS = ("GET", "HEAD", "POST")
USUAL_PORT = 80
"""The one that a browser leaves out."""


@dataclass(frozen=True)
class Visitor:
    """Knows the one visitor who may ask: on these names and this port, with this token."""

    token: str = field(repr=False)
    port: int
    names: tuple[str, ...] = LOCAL_NAMES
    passes: SinglePasses = field(default_factory=SinglePasses, repr=False, compare=False)

    @property
    def cookie(self) -> str:
        """The cookie's name; cookies are shared between the ports of a machine, so it has one."""
        return f"fairvec-{self.port}"

    @property
    def cookie_line(self) -> str:
        """What puts the token into the browser: no script reads it, no other site sends it."""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"

    def refused(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request is refused; None if it may be answered."""
        return (
            self.elsewhere(headers)
            or self._from_another_site(headers)
            or self._unknown(headers)
            or self._unasked(method, headers)
        )

    def welcomes(self, given: str) -> bool:
        """Say whether an address holds the token, or a pass that is good."""
        return self._knows(given) or self.passes.taken(given)

    def elsewhere(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse a request that another server was meant by."""
        if headers.get("host", "").lower() in self._hosts:
            return None
        return Refusal(421, "This server answers on its own address alone; open the printed one.")

    def _knows(self, token: str) -> bool:
        """Say whether this is the token, in a time that tells nothing about it."""
        return compare_digest(token.encode(), self.token.encode())

    def _from_another_site(self, headers: Mapping[str, str]) -> Refusal | None:
        origin = headers.get("origin")
        known = origin is None or origin.lower() in {f"http://{host}" for host in self._hosts}
        if known and headers.get("sec-fetch-site", "none") in OWN_SITE:
            return None
        return Refusal(403, "A page of another site may not ask here; open the printed address.")

    def _unknown(self, headers: Mapping[str, str]) -> Refusal | None:
        # Any of them: another port may have set a cookie of the same name.
        if any(self._knows(token) for token in self._tokens(headers)):
            return None
        return Refusal(
            401,
            "The token is missing or old; open the address that was printed.",
            {"www-authenticate": "Bearer"},
        )

    def _unasked(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        if method not in METHODS:
            allowed = ", ".join(METHODS)
            return Refusal(405, f"Ask with one of {allowed}.", {"allow": allowed})
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method != "POST" or kind == JSON:
            return None
        return Refusal(415, f"A question is sent as {JSON}; send it with that content-type.")

    @property
    def _hosts(self) -> set[str]:
        bare = self.names if self.port == USUAL_PORT else ()
        return {*(f"{name}:{self.port}" for name in self.names), *bare}

    def _tokens(self, headers: Mapping[str, str]) -> Iterable[str]:
        """Return the tokens that a request brings: a program's header, a browser's cookies."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            yield bearer.strip()
        # Not by http.cookies, which stops at the first cookie of another port that it dislikes.
        for cookie in headers.get("cookie", "").split(";"):
            name, _, value = cookie.strip().partition("=")
            if name == self.cookie:
                yield value
