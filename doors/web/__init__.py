"""The memory explorer: pages to see, search, correct and erase what is remembered."""
