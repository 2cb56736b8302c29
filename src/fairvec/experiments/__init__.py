"""The experiment: audits, comparisons, debiasing, frontiers and studies as functions."""
