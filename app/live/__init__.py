"""Who waits for what: announcers, later the hub and its sockets."""
