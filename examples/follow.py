"""Follow a game to its end; by the numbers, nothing is missed: follow.py ws://…/v1/games/ID/stream"""

import asyncio
import json
import sys

from websockets import ConnectionClosed, WebSocketException, connect

FINAL = {1008, 4401, 4403, 4404, 4409}  # coming back would change nothing


async def follow(url: str) -> str:
    seen = [0]
    while True:
        try:
            async with connect(f"{url}?after={seen[-1]}") as socket:
                async for text in socket:
                    for event in json.loads(text).get("events", ()):
                        seen.append(event["version"])
                        print(seen[-1], event["type"], event["seat"], flush=True)
                        if event["type"] == "game_finished":
                            once = len(set(seen))
                            return f"{max(seen) + 1 - once} missing, {len(seen) - once} double"
        except (OSError, WebSocketException) as error:
            if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code in FINAL:
                raise
        await asyncio.sleep(0.5)


print(asyncio.run(follow(sys.argv[1])))
