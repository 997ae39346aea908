"""Campaigns: long runs behind `make prove-*`; each writes its page in docs/reference."""
