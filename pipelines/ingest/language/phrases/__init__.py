"""Languages without a parser: a few plain sentences of oneself and of somebody named, and nothing else."""
