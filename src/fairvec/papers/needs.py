"""What some cells still need: whoever adds it removes its name here and from the papers' data."""

NEEDS = {
    "analogies": "analogy questions are not answered yet",
    "contextual-encoders": "contextual encoders are not there yet",
    "debiasing": "the debiased columns are not computed here yet",
    "gender-direction": "the variance explained by a gender direction is not reported yet",
    "gyrocosine-bias": "gyrocosine bias is not there yet",
    "neutrality-classifier": "the classifier of gender-neutral words is not there yet",
    "sembias": "SemBias is not there yet",
    "sentiment-task": "the sentiment task is not there yet",
    "similarity-benchmarks": "word-similarity benchmarks are not there yet",
}
