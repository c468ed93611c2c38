"""What every request passes through before and after its route: pure ASGI, no route's business."""
