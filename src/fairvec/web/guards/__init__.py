"""Who may ask the explorer, how much and how often; what a browser may do with its pages."""
