"""What every answer tells the browser: run and load what is ours, and nothing else."""

NOWHERE = ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
"""No page of this server sends a form, moves its own addresses or is shown within another."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        *NOWHERE,
    )
)
"""Scripts and styles from files of this server alone: a word of a model cannot become a program."""

OWN_POLICY = "content-security-policy"
"""The one header that an answer may bring itself: a report has its script within."""

HEADERS = {
    OWN_POLICY: POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
