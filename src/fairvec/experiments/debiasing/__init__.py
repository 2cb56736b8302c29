"""What debiasing did to a model: a concept taken out, judged, and written."""
