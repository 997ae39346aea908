"""Child processes: started, spoken to and ended in one way."""
