"""A request that comes from the page itself, of this server and of no other.

A browser is asked by every page that is open in it. Three questions keep others out: was this
server meant (Host, against DNS rebinding), does the page that asks belong to it (Origin and
Sec-Fetch-Site, against requests from other sites), and does the visitor know the secret that was
printed at the start (the token, against other users of the machine).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie

from fairvec.web.guards.refusal import Refusal

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""What a browser may call a server on loopback."""

OWN_SITE = ("same-origin", "none")
"""What a browser says of a page's own requests, and of those that a person types."""

UNSAFE_WITHOUT = "application/json"
"""A page of another site cannot send this kind of text without asking first."""


@dataclass(frozen=True)
class Visitor:
    """Knows the one visitor who may ask: on these names and this port, with this token."""

    token: str
    port: int
    names: tuple[str, ...] = LOCAL_NAMES

    @property
    def cookie(self) -> str:
        """The cookie's name; cookies are shared between the ports of a machine, so it has one."""
        return f"fairvec-{self.port}"

    def refused(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request is refused; None if it may be answered."""
        return (
            self._elsewhere(headers)
            or self._from_another_site(headers)
            or self._unknown(headers)
            or self._unasked(method, headers)
        )

    def knows(self, token: str) -> bool:
        """Say whether this is the token, in a time that tells nothing about it."""
        return compare_digest(token.encode(), self.token.encode())

    def _elsewhere(self, headers: Mapping[str, str]) -> Refusal | None:
        if headers.get("host", "").lower() in self._hosts:
            return None
        return Refusal(421, "This server answers on its own address alone; open the printed one.")

    def _from_another_site(self, headers: Mapping[str, str]) -> Refusal | None:
        origin = headers.get("origin")
        known = origin is None or origin.lower() in {f"http://{host}" for host in self._hosts}
        if known and headers.get("sec-fetch-site", "none") in OWN_SITE:
            return None
        return Refusal(403, "A page of another site may not ask here; open the printed address.")

    def _unknown(self, headers: Mapping[str, str]) -> Refusal | None:
        if any(self.knows(token) for token in self._tokens(headers)):
            return None
        return Refusal(401, "The token is missing or old; open the address that was printed.")

    def _unasked(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        if method in ("GET", "HEAD"):
            return None
        if method != "POST":
            return Refusal(405, f"{method} is not answered here; use GET or POST.")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == UNSAFE_WITHOUT:
            return None
        return Refusal(415, f"A question is sent as {UNSAFE_WITHOUT}, not as {kind or 'nothing'}.")

    @property
    def _hosts(self) -> set[str]:
        return {f"{name}:{self.port}" for name in self.names}

    def _tokens(self, headers: Mapping[str, str]) -> list[str]:
        """Return the tokens that a request brings: a program's header, a browser's cookie."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        found = [bearer.strip()] if scheme.lower() == "bearer" else []
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return found
        return [*found, cookies[self.cookie].value] if self.cookie in cookies else found
