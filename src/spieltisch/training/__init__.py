"""Training of value nets by self-play on a game's twin (extra `train`): afterstate TD(λ) with one value per seat."""
