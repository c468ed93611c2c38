"""Series: many games between the same sides. Pure; the service carries, the store keeps."""
