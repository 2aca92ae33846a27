"""Deploy keys: SSH keys that open single projects, without a person behind them."""
