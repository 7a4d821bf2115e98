"""Language models: `base` is the contract, each provider has a file."""
