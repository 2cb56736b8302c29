"""How far words lie along a direction of bias."""
