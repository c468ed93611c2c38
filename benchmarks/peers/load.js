/*
 * Plays matches on one of the peers: `node load.js boardgame PORT`, or colyseus. Every line in is
 * answered by one out, in JSON, until the input ends:
 *
 *   {"open": MATCHES}   {"ready": MATCHES}   new matches; those of before are closed
 *   {"moves": MOVES}    {"seconds", "p50_ms", "p99_ms", "cpu_s"}   each match asks again when answered
 */

import { createInterface } from "node:readline";

const [peer, port] = process.argv.slice(2);
const { Match } = await import(`./${peer}_match.js`);

const say = (data) => process.stdout.write(`${JSON.stringify(data)}\n`);

const at = (ascending, share) =>
  ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * share))];

function played(matches, moves) {
  const waits = new Float64Array(moves);
  let asked = 0;
  let answered = 0;
  return new Promise((resolve) => {
    const next = (match) => {
      if (asked === moves) return;
      asked += 1;
      const began = performance.now();
      match.move(() => {
        waits[answered] = performance.now() - began;
        answered += 1;
        if (answered === moves) resolve(waits.sort());
        else next(match);
      });
    };
    matches.forEach(next);
  });
}

let matches = [];
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.open !== undefined) {
    await Promise.all(matches.map((match) => match.close()));
    matches = [];
    for (let number = 0; number < told.open; number += 1) matches.push(await Match.open(port));
    say({ ready: matches.length });
  } else {
    const cpu = process.cpuUsage();
    const began = performance.now();
    const waits = await played(matches, told.moves);
    const { user, system } = process.cpuUsage(cpu);
    say({
      seconds: (performance.now() - began) / 1000,
      p50_ms: at(waits, 0.5),
      p99_ms: at(waits, 0.99),
      cpu_s: (user + system) / 1e6,
    });
  }
}
process.exit(0);
