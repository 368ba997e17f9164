"""How requests reach the application: sockets with deadlines, a graceful end, and several processes."""
