import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.messages.figures import NO_BREAK, keep_together


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("an effect (d +1.11, 95 % +0.87 to +1.30;", "an effect (d_+1.11, 95_%_+0.87_to_+1.30;"),
        ("d −0.34; p = 0.00001, corrected 0.00008)", "d_−0.34; p_=_0.00001, corrected_0.00008)"),
        ("differ (tau 0.31)", "differ (tau_0.31)"),
        ("ruled out (95 %); p = 1.2e-09.", "ruled out (95_%); p_=_1.2e-09."),
        (
            "difference = −0.012 in 39 % of shorter lists",
            "difference_=_−0.012 in 39_% of shorter lists",
        ),
        ("need 3 words or d of 2", "need 3 words or d of 2"),
    ],
)
def test_figures_stay_on_the_line_of_their_names(sentence: str, shown: str) -> None:
    assert keep_together(sentence) == shown.replace("_", NO_BREAK)


@given(st.text(alphabet="dp =%0159.+−to,;ax\N{NO-BREAK SPACE}") | st.text())
def test_only_spaces_change_and_only_once(sentence: str) -> None:
    shown = keep_together(sentence)
    assert shown.replace(NO_BREAK, " ") == sentence.replace(NO_BREAK, " ")
    assert keep_together(shown) == shown
