// Follows a game from its first event to its last, whatever happens to the connection, and proves
// by the numbers that nothing was missed and nothing came twice.

// Close codes after which coming back would change nothing (docs/streams.md).
const FINAL = new Map([
  [1008, "refused"],
  [4401, "the token is no good"],
  [4403, "no longer a member"],
  [4404, "no such game"],
  [4409, "the server knows less than this page"],
]);
const PAUSE_MS = { least: 250, most: 8000 };
// The server says something every 20 s: after twice that the line is dead, whatever it looks like.
const SILENT_MS = 45_000;

const show = (id, value) => { document.getElementById(id).textContent = value; };

class Follower {
  constructor(server, game, token) {
    this.url = `${server.replace(/^http/, "ws").replace(/\/$/, "")}/v1/games/${game}/stream`;
    this.protocols = token ? ["hotdice.v1", `bearer.${token}`] : ["hotdice.v1"];
    this.seen = new Map(); // version -> how often it came
    this.version = 0;
    this.connects = 0;
    this.failures = 0;
    this.isOver = false;
  }

  connect() {
    const socket = new WebSocket(`${this.url}?after=${this.version}`, this.protocols);
    this.socket = socket;
    this.watch();
    socket.onmessage = (message) => {
      if (socket !== this.socket) return; // what a line left for dead still says comes again
      this.watch();
      this.take(JSON.parse(message.data));
    };
    socket.onclose = (closed) => {
      if (socket === this.socket) this.lost(closed.code);
    };
  }

  // A dead line is left, not closed: its close would wait for an answer that does not come.
  watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      const dead = this.socket;
      this.lost(4408);
      dead.close();
    }, SILENT_MS);
  }

  lost(code) {
    clearTimeout(this.silence);
    this.socket = null;
    if (this.isOver) return;
    if (FINAL.has(code)) {
      show("line", `${FINAL.get(code)} (${code})`);
      return;
    }
    // Longer each time, and by chance, so that not all pages come back at once.
    const pause = Math.min(PAUSE_MS.most, PAUSE_MS.least * 2 ** this.failures);
    this.failures += 1;
    show("line", `away (${code})`);
    this.timer = setTimeout(() => this.connect(), pause * (0.5 + Math.random() / 2));
  }

  take(frame) {
    if (frame.type === "resumed") {
      this.failures = 0;
      this.connects += 1;
      show("line", "following");
      show("connects", this.connects);
    } else if (frame.type === "played") {
      for (const event of frame.events) this.add(event);
      this.prove();
      this.draw(frame.game);
    }
  }

  add(event) {
    this.seen.set(event.version, (this.seen.get(event.version) ?? 0) + 1);
    this.version = Math.max(this.version, event.version);
    const item = document.createElement("li");
    item.dataset.version = event.version;
    item.textContent = event.seat === null ? event.type : `${event.type}, seat ${event.seat}`;
    document.getElementById("events").append(item);
  }

  prove() {
    let double = 0;
    for (const times of this.seen.values()) double += times - 1;
    show("version", this.version);
    show("missing", this.version - this.seen.size);
    show("double", double);
  }

  draw(game) {
    const items = game.seats.map((seat) => {
      const item = document.createElement("li");
      const moves = game.turn?.seat === seat.seat ? " — to move" : "";
      item.textContent = `${seat.name ?? seat.kind}: ${seat.score}${moves}`;
      return item;
    });
    document.getElementById("seats").replaceChildren(...items);
    if (game.status === "finished") {
      this.isOver = true;
      this.stop();
      show("line", "over");
    }
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.socket?.close(1000);
    this.socket = null;
  }
}

const ask = document.getElementById("ask");
let follower = null;

function follow() {
  follower?.stop();
  document.getElementById("events").replaceChildren();
  document.getElementById("seats").replaceChildren();
  const { server, game, token } = Object.fromEntries(new FormData(ask));
  follower = new Follower(server, game, token);
  follower.prove();
  follower.connect();
}

ask.addEventListener("submit", (event) => {
  event.preventDefault();
  follow();
});

// follow.html?server=…&game=… begins by itself. A token is never taken from an address.
for (const [name, value] of new URLSearchParams(location.search)) {
  if (name === "server" || name === "game") ask.elements[name].value = value;
}
if (ask.checkValidity()) follow();
