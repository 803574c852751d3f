"""What the project makes for itself: facts about macOS, type stubs, tables. Nothing here is installed."""
