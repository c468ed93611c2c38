"""Follow a game to its end; by the numbers, nothing is missed: follow.py ws://…/v1/games/ID/stream"""

import json
import sys
import time

from websockets import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

FINAL = {1008, 4401, 4403, 4404, 4409}  # coming back would change nothing

seen, status, urls = [0], "", sys.argv[1:]  # one address, or one for each process
while status != "finished":
    urls.append(urls.pop(0))
    try:
        with connect(f"{urls[-1]}?after={seen[-1]}") as socket:
            for text in socket:
                frame = json.loads(text)
                for event in frame.get("events", ()):
                    seen.append(event["version"])
                    print(seen[-1], event["type"], event["seat"], flush=True)
                status = frame.get("game", {}).get("status")
                if status == "finished":
                    break
    except (OSError, WebSocketException) as error:
        if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code in FINAL:
            raise
        time.sleep(0.5)
once = len(set(seen))
print(f"{max(seen) + 1 - once} missing, {len(seen) - once} double")
