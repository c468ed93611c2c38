"""What was released stays: its logs replay, its documents are what today's is measured by."""
