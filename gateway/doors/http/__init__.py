"""What HTTP needs besides the application: who comes in, its routes, what it says of faults."""
