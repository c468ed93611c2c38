/*
 * Checks a finished game of Hotdice from its export: the hash chain, the dice, and every rule.
 *
 * One file, for browsers and for node, without any other: no library, no server, no network. It is
 * written from the published rules and formulas (docs/rules.md, docs/rule-sets.md, docs/fairness.md,
 * docs/events.md) and shares no code with the server that it judges.
 *
 *   In a browser:  import { verify } from "./verify.js"
 *   On a terminal: node verify.js game.ndjson
 *
 * Parts: bytes · JSON · formulas of pf1 · rule sets · scoring · cheats · the table · the verdict ·
 * the terminal.
 */

// Bytes ---------------------------------------------------------------------------------------
// An own SHA-256: that of browsers does not exist on pages over plain http.

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p)) PRIMES.push(n);

/** The first 32 bits behind the point, exactly: no root is rounded by a machine's float. */
function fraction(n, power) {
  const wanted = BigInt(n) << BigInt(32 * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn) | 0;
}

const ROUND = Int32Array.from(PRIMES, (p) => fraction(p, 3));
const START = Int32Array.from(PRIMES.slice(0, 8), (p) => fraction(p, 2));
const WORDS = new Int32Array(64);

/** SHA-256 of bytes: 32 bytes. */
export function sha256(data) {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 0x20000000));
  view.setUint32(padded.length - 4, data.length << 3);
  const state = Int32Array.from(START);
  const w = WORDS;
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** HMAC with SHA-256: 32 bytes. */
export function hmac(key, data) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(join(block.map((byte) => byte ^ 0x36), data));
  return sha256(join(block.map((byte) => byte ^ 0x5c), inner));
}

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

const UTF8 = new TextEncoder();
const bytesOf = (text) => UTF8.encode(text);
const isHex32 = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** Bytes as lower-case hex. */
export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += (byte + 256).toString(16).slice(1);
  return text;
}

/** Lower-case hex as bytes. */
export const unhex = (text) =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));

function u32(n) {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, n);
  return out;
}

const u64 = (n) => join(u32(Math.floor(n / 0x100000000)), u32(n % 0x100000000));
const lp = (part) => join(u32(part.length), part);
const tag = (text) => lp(bytesOf(text));

// JSON ----------------------------------------------------------------------------------------

/** What is wrong with a log; `incomplete` where it only ends too early. */
class Fault extends Error {
  constructor(reason, incomplete = false) {
    super(reason);
    this.incomplete = incomplete;
  }
}

function no(reason) {
  throw new Fault(reason);
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y;
const SPACE = /[ \t\r\n]*/y;
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const DEEPEST = 16;

/** JSON, strictly: no key twice, whole numbers only, no half of a surrogate pair. */
export function parse(text) {
  let at = 0;

  function take(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[0];
  }

  function list(close, depth, item) {
    if (depth > DEEPEST) no("JSON nested too deeply");
    at++;
    take(SPACE);
    if (text[at] === close) return void at++;
    for (;;) {
      item();
      take(SPACE);
      const mark = text[at++];
      if (mark === close) return;
      if (mark !== ",") no("not JSON");
      take(SPACE);
    }
  }

  function string() {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const found = text[at] === '"' ? text.slice(at, end + 1) : "";
    at = end + 1;
    let value;
    try {
      value = JSON.parse(found);
    } catch {
      no("not JSON");
    }
    if (HALF.test(value)) no("half of a surrogate pair");
    return value;
  }

  function value(depth) {
    take(SPACE);
    const mark = text[at];
    if (mark === '"') return string();
    if (mark === "[") {
      const items = [];
      list("]", depth, () => items.push(value(depth + 1)));
      return items;
    }
    if (mark === "{") {
      const object = Object.create(null);
      list("}", depth, () => {
        const key = string();
        if (key in object) no(`the key ${JSON.stringify(key)} stands there twice`);
        take(SPACE);
        if (text[at++] !== ":") no("not JSON");
        object[key] = value(depth + 1);
      });
      return object;
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const digits = take(NUMBER);
    if (digits === null || digits === "-0") no("not JSON with whole numbers");
    const number = Number(digits);
    if (!Number.isSafeInteger(number)) no("a number out of range");
    return number;
  }

  const whole = value(0);
  take(SPACE);
  if (at !== text.length) no("something follows the JSON");
  return whole;
}

/** Canonical JSON: keys sorted, no spaces, nothing escaped that need not be. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${parts.join(",")}}`;
}

const alike = (one, other) => canonical(one) === canonical(other);

// Formulas of pf1 -----------------------------------------------------------------------------

export const ZERO = new Uint8Array(32);

export function serverCommit(gameId, e, secret) {
  return sha256(join(tag("pf1/server-commit"), tag(gameId), u32(e), lp(secret)));
}

export function seatCommit(gameId, e, seat, contribution) {
  return sha256(join(tag("pf1/seat-commit"), tag(gameId), u32(e), u32(seat), lp(contribution)));
}

/** G_e; contributions are [seat, 32 bytes]. */
export function seal(gameId, e, before, commit, contributions) {
  const mixed = [...contributions].sort(([one], [other]) => one - other);
  return sha256(
    join(
      ...[tag("pf1/seal"), tag(gameId), u32(e), lp(before), lp(commit), u32(mixed.length)],
      ...mixed.flatMap(([seat, value]) => [u32(seat), lp(value)]),
    ),
  );
}

/** Block j of roll i. */
export function block(secret, gameId, e, i, sealed, j) {
  return hmac(secret, join(tag("pf1/roll"), tag(gameId), u32(e), u64(i), lp(sealed), u32(j)));
}

/** The faces of roll i, one die for each number of sides in the list. */
export function faces(secret, gameId, e, i, sealed, sides) {
  const found = [];
  let bytes = [];
  for (let j = 0; found.length < sides.length; ) {
    if (bytes.length === 0) bytes = Array.from(block(secret, gameId, e, i, sealed, j++));
    const k = sides[found.length];
    const byte = bytes.shift();
    if (byte < 256 - (256 % k)) found.push((byte % k) + 1);
  }
  return found;
}

/** h_v. */
export function link(gameId, version, before, data) {
  return sha256(join(tag("pf1/event"), tag(gameId), u64(version), lp(before), lp(data)));
}

/** The secret that stands for a seeded table's seed. */
export function seeded(seed) {
  return sha256(join(tag("pf1/seeded"), tag(seed)));
}

// Rule sets -----------------------------------------------------------------------------------

const whole = (low, high) => (value) => Number.isSafeInteger(value) && value >= low && value <= high;
const oneOf = (...words) => (value) => words.includes(value);
const matching = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const orNull = (check) => (value) => value === null || check(value);
const listOf = (check, low = 0, high = Infinity) => (value) =>
  Array.isArray(value) && value.length >= low && value.length <= high && value.every((item) => check(item));
const mapOf = (keys, check) => (value) =>
  isObject(value) && Object.entries(value).every(([key, item]) => keys.test(key) && check(item));
const shaped = (fields) => (value) =>
  isObject(value) &&
  alike(Object.keys(value).sort(), Object.keys(fields).sort()) &&
  Object.entries(fields).every(([key, check]) => check(value[key]));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isFlag = oneOf(true, false);
const isFace = whole(1, 6);
const isSeat = whole(0, 7);
const isTime = whole(0, Number.MAX_SAFE_INTEGER);
const isAmount = whole(0, Number.MAX_SAFE_INTEGER);
const isText = (value) => typeof value === "string" && value !== "";
const ascending = (list) => list.every((item, i) => i === 0 || list[i - 1] < item);
const sum = (list) => list.reduce((total, item) => total + item, 0);
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

const POINTS = whole(1, 1_000_000);
const BONUS = whole(0, 1_000_000);
const NAMED = { id: matching(/^[a-z0-9_]{1,32}$/), protected: isFlag, flat: isFlag };
const COMBINATIONS = {
  single: { face: isFace, points: POINTS },
  set: { face: isFace, count: whole(2, 6), points: POINTS },
  straight: { faces: listOf(isFace, 3, 6), points: POINTS },
  pairs: { count: whole(2, 3), points: POINTS, four_and_two: isFlag },
  triplets: { count: whole(2, 2), points: POINTS },
  full_house: { bonus: BONUS, pairs: mapOf(/^[1-6]$/, BONUS) },
};
const RULES = {
  format: whole(1, 1),
  name: matching(/^[a-z0-9_-]{1,32}$/),
  dice: shaped({ count: whole(1, 6) }),
  seats: shaped({ min: whole(1, 8), max: whole(1, 8) }),
  target: whole(1, 10_000_000),
  exact: oneOf("off", "bust", "refuse"),
  opening: whole(0, 10_000_000),
  final_round: oneOf("none", "one_turn"),
  winner: oneOf("highest", "last_to_reach"),
  split: oneOf("best", "forced"),
  set_upgrade: isFlag,
  bank_takes: oneOf("all_scoring", "selected"),
  bank_on_hot_dice: isFlag,
  all_dice_bonus: BONUS,
  take_over: isFlag,
  spicy: orNull(shaped({ faces: listOf(isFace, 1, 6), instant_win: isFlag })),
  wild_rolls: orNull(
    shaped({ allotment: whole(0, 99), purse: isFlag, earn: isFlag, world: orNull(matching(/^[a-z0-9_-]{1,32}$/)) }),
  ),
  combinations: listOf(isCombination, 1, 64),
};

function isCombination(value) {
  if (!isObject(value) || !Object.keys(COMBINATIONS).includes(value.kind)) return false;
  return shaped({ ...NAMED, kind: isText, ...COMBINATIONS[value.kind] })(value);
}

/** How many dice a combination needs. */
function size(c) {
  const sizes = { single: 1, set: c.count, straight: c.faces?.length, pairs: 2 * c.count };
  return sizes[c.kind] ?? (c.kind === "triplets" ? 6 : 5);
}

/** What the scores of a rule set are multiples of. */
function grain(rules) {
  const points = rules.combinations.flatMap((c) =>
    c.kind === "full_house" ? [c.bonus, ...Object.values(c.pairs)] : [c.points],
  );
  return [...points, rules.all_dice_bonus].reduce(divisor, 0);
}

/** Refuses what is no rule set. */
function checkRules(rules) {
  if (!isObject(rules)) no("the rules are no rule set");
  for (const [field, check] of Object.entries(RULES)) {
    if (!check(rules[field])) no(`rules.${field} cannot be so`);
  }
  if (Object.keys(rules).length !== Object.keys(RULES).length) no("the rules have unknown fields");
  const all = rules.combinations;
  const dice = rules.dice.count;
  const same = all.map(({ kind, face, count, faces, four_and_two: more }) =>
    kind === "full_house" ? kind : canonical([kind, face ?? 0, count ?? 0, faces ?? 0, more ?? 0]),
  );
  if (new Set(all.map((c) => c.id)).size < all.length) no("two combinations have the same id");
  if (new Set(same).size < all.length) no("two combinations need the same dice");
  if (all.some((c) => size(c) > dice)) no("a combination needs more dice than there are");
  if (all.some((c) => c.kind === "straight" && !ascending(c.faces))) no("a straight's faces do not ascend");
  if (rules.seats.min > rules.seats.max) no("rules.seats cannot be so");
  if (rules.opening > rules.target) no("the opening is above the target");
  if (rules.spicy && rules.spicy.faces.length !== dice) no("rules.spicy needs a face for each die");
  if (rules.exact !== "off" && rules.target % grain(rules)) no("the scores cannot meet the target");
  const threes = all.filter((c) => c.kind === "set" && c.count === 3).map((c) => c.points);
  const houses = all.filter((c) => c.kind === "full_house");
  if (houses.length > 0 && threes.length === 0) no("a full house without a set of three");
  const most = (c) =>
    c.kind === "full_house" ? Math.max(...threes) + c.bonus + Math.max(0, ...Object.values(c.pairs)) : c.points;
  if (rules.exact === "refuse" && all.some((c) => most(c) > rules.target)) {
    no("a combination is worth more than the exact target");
  }
  if (rules.set_upgrade) {
    const sets = all.filter((c) => c.kind === "set");
    const worse = (a, b) => a.face === b.face && a.count < b.count && a.points > b.points;
    if (sets.some((a) => sets.some((b) => worse(a, b)))) no("a larger set is worth less");
  }
}

// Scoring -------------------------------------------------------------------------------------

const SCORINGS = new Map();

/** The scoring of a rule set; the last few are kept, with all they have reckoned. */
function scoringOf(rules) {
  const key = canonical(rules);
  let found = SCORINGS.get(key);
  if (found === undefined) {
    checkRules(rules);
    if (SCORINGS.size >= 16) SCORINGS.delete(SCORINGS.keys().next().value);
    found = new Scoring(rules);
    SCORINGS.set(key, found);
  }
  return found;
}

/** The points of dice by one rule set. */
class Scoring {
  constructor(rules) {
    this.rules = rules;
    this.known = new Map();
    this.sets = {};
    for (const c of rules.combinations) {
      if (c.kind === "set") this.sets[`${c.face}x${c.count}`] = c;
    }
    this.smallest = [0, 1, 2, 3, 4, 5, 6].map((face) =>
      Math.min(...rules.combinations.filter((c) => c.kind === "set" && c.face === face).map((c) => c.count)),
    );
    const singles = rules.combinations.filter((c) => c.kind === "single");
    const best = Math.max(...singles.map((c) => c.points));
    /** The face whose single pays best, of equals the lowest; Infinity where none scores. */
    this.bestSingle = Math.min(...singles.filter((c) => c.points === best).map((c) => c.face));
  }

  /**
   * What a selection is worth, or null where it is none.
   *
   * @param dice [face, shows its spicy face], in any order
   * @param locked sets of this turn that can grow: face -> how many
   * @param whole all dice of the table were rolled together, and are all selected
   */
  worth(dice, locked, whole) {
    const sorted = dice.map(([face, hot]) => 2 * face + (hot ? 1 : 0)).sort((a, b) => a - b);
    const grown = Object.keys(locked).filter((face) => sorted.some((d) => d >> 1 === Number(face)));
    const key = `${sorted.join()}|${grown.map((face) => `${face}x${locked[face]}`).join()}|${whole}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.#reckon(sorted, locked, whole);
      this.known.set(key, found);
    }
    return found;
  }

  #reckon(sorted, locked, whole) {
    let points = 0;
    let kept = 0;
    let rest = sorted;
    const sets = {};
    for (const [face, count] of Object.entries(locked)) {
      const more = rest.filter((die) => die >> 1 === Number(face));
      const larger = this.sets[`${face}x${count + more.length}`];
      if (more.length === 0 || !larger) continue;
      const gain = (larger.points - this.sets[`${face}x${count}`].points) * doubled(more);
      points += gain;
      if (larger.protected) kept += gain;
      rest = rest.filter((die) => !more.includes(die));
      sets[face] = count + more.length;
    }
    let best = null;
    for (const split of this.#splits(rest)) {
      const flat = split.some(({ c }) => c.flat);
      const found = {
        points: points + sum(split.map((part) => part.points)) + (whole && !flat ? this.rules.all_dice_bonus : 0),
        protected: kept + sum(split.filter(({ c }) => c.protected).map((part) => part.points)),
        order: split.map((part) => part.order).sort((a, b) => a - b),
        sets: { ...sets },
      };
      for (const { c } of split) if (c.kind === "set" && c.count >= 3) found.sets[c.face] = c.count;
      if (best === null || better(found, best)) best = found;
    }
    return best;
  }

  /** Every way to divide dice into combinations without remainder. */
  *#splits(dice) {
    if (dice.length === 0) {
      yield [];
      return;
    }
    const others = dice.length - 1;
    for (let mask = 0; mask < 1 << others; mask++) {
      const part = [dice[0], ...dice.slice(1).filter((_, i) => (mask >> i) & 1)];
      const rest = dice.slice(1).filter((_, i) => !((mask >> i) & 1));
      if (this.rules.split === "forced" && this.#divides(part, rest)) continue;
      const made = this.#combinations(part);
      if (made.length === 0) continue;
      for (const tail of this.#splits(rest)) for (const one of made) yield [one, ...tail];
    }
  }

  /** Whether a face that must be scored whole would be divided. */
  #divides(part, rest) {
    const faces = (dice, face) => dice.filter((die) => die >> 1 === face).length;
    return [1, 2, 3, 4, 5, 6].some((face) => {
      const [here, there] = [faces(part, face), faces(rest, face)];
      return here > 0 && there > 0 && here + there >= this.smallest[face];
    });
  }

  /** The combinations that exactly these dice make. */
  #combinations(dice) {
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (const die of dice) counts[die >> 1]++;
    const shape = counts.filter((n) => n > 0).sort().join("");
    const found = [];
    this.rules.combinations.forEach((c, order) => {
      const points = this.#points(c, counts, shape, dice.length);
      if (points !== null) found.push({ c, order, points: points * doubled(dice) });
    });
    return found;
  }

  #points(c, counts, shape, n) {
    switch (c.kind) {
      case "single":
        return n === 1 && counts[c.face] === 1 ? c.points : null;
      case "set":
        return n === c.count && counts[c.face] === n ? c.points : null;
      case "straight":
        return n === c.faces.length && c.faces.every((face) => counts[face] === 1) ? c.points : null;
      case "pairs": {
        const more = c.four_and_two && c.count === 3 && shape === "24";
        return shape === "2".repeat(c.count) || more ? c.points : null;
      }
      case "triplets":
        return shape === "33" ? c.points : null;
      default: {
        const three = this.sets[`${counts.indexOf(3)}x3`];
        if (shape !== "23" || !three) return null;
        return three.points + c.bonus + (c.pairs[counts.indexOf(2)] ?? 0);
      }
    }
  }
}

const doubled = (dice) => 2 ** sum(dice.map((die) => die & 1));

/** Of two splits: more points, more of them protected, fewer combinations, the rule set's order. */
function better(one, other) {
  if (one.points !== other.points) return one.points > other.points;
  if (one.protected !== other.protected) return one.protected > other.protected;
  if (one.order.length !== other.order.length) return one.order.length < other.order.length;
  return before(one.order, other.order);
}

/** Whether one list of numbers of a length comes before another. */
function before(one, other) {
  const i = one.findIndex((item, at) => item !== other[at]);
  return i >= 0 && one[i] < other[i];
}

/** Every selection of a roll: its dice, the Jester's face (or null), and what it is worth. */
function selections(scoring, turn) {
  const found = [];
  const { rolled } = turn;
  const jester = turn.wild ? scoring.rules.dice.count - 1 : -1;
  for (let mask = 1; mask < 1 << rolled.length; mask++) {
    const dice = rolled.filter((_, i) => (mask >> i) & 1);
    for (const named of dice.includes(jester) ? [1, 2, 3, 4, 5, 6] : [null]) {
      const worth = worthOf(scoring, turn, dice, named);
      if (worth) found.push({ dice, named, worth });
    }
  }
  return found;
}

function worthOf(scoring, turn, dice, named) {
  const { rules } = scoring;
  const last = rules.dice.count - 1;
  const shown = dice.map((die) => {
    const face = named !== null && die === last ? named : turn.faces[die];
    return [face, rules.spicy !== null && rules.spicy.faces[die] === face];
  });
  return scoring.worth(shown, rules.set_upgrade ? turn.sets : {}, dice.length === rules.dice.count);
}

/** The selection that pays most: then most dice, the lowest positions, the lowest named face. */
function best(found) {
  return found.reduce((top, one) => {
    if (top === null) return one;
    if (one.worth.points !== top.worth.points) return one.worth.points > top.worth.points ? one : top;
    if (one.dice.length !== top.dice.length) return one.dice.length > top.dice.length ? one : top;
    if (!alike(one.dice, top.dice)) return before(one.dice, top.dice) ? one : top;
    return (one.named ?? 0) < (top.named ?? 0) ? one : top;
  }, null);
}

// Cheats --------------------------------------------------------------------------------------

const NO_CHEATS = { loaded: [], light: {}, head_start: {}, skip_next: [], always_score: [] };

/**
 * The faces shown for a roll of n dice.
 *
 * @param draw count -> so many fair faces of the roll's stream
 * @param pays faces -> points of their best selection
 * @param busts faces -> whether they would be a bust
 */
function cheated(cheats, seat, n, bestSingle, draw, pays, busts) {
  const light = cheats.loaded.includes(seat) ? undefined : cheats.light[seat];
  const twice = n > 0 && (light === "lucky" || light === "cold");
  const fair = draw(twice ? 2 * n : n);
  let shown = fair.slice(0, n);
  if (cheats.loaded.includes(seat)) {
    if (n >= 3) shown.fill(fair[0], 0, Math.max(3, n - 1));
    else if (n > 0 && Number.isFinite(bestSingle)) shown[0] = bestSingle;
  } else if (twice) {
    const [first, second] = [pays(shown), pays(fair.slice(n))];
    if (light === "lucky" ? second > first : second < first) shown = fair.slice(n);
  } else if (light === "magnet") {
    const often = (face) => shown.filter((other) => other === face).length;
    const common = [6, 5, 4, 3, 2, 1].reduce((top, face) => (often(face) > often(top) ? face : top));
    const at = shown.findIndex((face) => face !== common);
    if (at >= 0) shown[at] = common;
  }
  if (n > 0 && cheats.always_score.includes(seat) && busts(shown)) shown[0] = bestSingle;
  return { shown, fair: alike(shown, fair) ? null : fair };
}

// The table -----------------------------------------------------------------------------------

const GRACE_MS = 500;
const BEFORE_ROLLS = ["wild_roll_earned", "hot_dice", "purse_spent"];
const CHARACTERS = ["cautious", "gambler", "strategist"];
const isCharacter = oneOf(...CHARACTERS);
const isId = isText;
const isHex = isHex32;
const isSeats = (value) => listOf(isSeat)(value) && ascending(value);

const SETTINGS = {
  rules: isObject,
  preset: orNull(isText),
  visibility: oneOf("public", "unlisted", "private"),
  dice: (value) =>
    shaped({ kind: oneOf("fair") })(value) ||
    shaped({ kind: oneOf("scripted"), rolls: listOf(listOf(isFace, 1, 6), 0, 1000) })(value) ||
    shaped({ kind: oneOf("seeded"), seed: matching(/^[\x20-\x7e]{1,64}$/) })(value),
  clocks: orNull(shaped({ turn_s: orNull(whole(5, 604_800)), game_s: orNull(whole(5, 604_800)) })),
  bots: shaped({
    pace_ms: whole(0, 60_000),
    take_absent_seats: isFlag,
    fill_after_s: orNull(whole(0, 3600)),
  }),
  advice: isFlag,
  cheats: orNull(
    shaped({
      loaded: isSeats,
      light: mapOf(/^[0-7]$/, oneOf("lucky", "cold", "magnet")),
      head_start: mapOf(/^[0-7]$/, isAmount),
      skip_next: isSeats,
      always_score: isSeats,
    }),
  ),
};

/** The events whose content is somebody's choice, with what their fields must be. */
const CHOSEN = {
  game_created: {
    ...SETTINGS,
    game_id: isText,
    protocol: oneOf("pf1"),
    server_commits: listOf(isHex, 2, 2),
    seats: listOf(
      shaped({
        kind: oneOf("human", "bot", "closed"),
        character: orNull(isCharacter),
        player_id: orNull(isId),
      }),
      1,
      8,
    ),
    host: orNull(isId),
    pass_and_play: isFlag,
    start_seat: isSeat,
    rematch_of: orNull(isText),
  },
  settings_changed: SETTINGS,
  player_joined: { seat: isSeat, player_id: isId },
  player_left: { seat: isSeat, player_id: isId, kicked: isFlag },
  seat_changed: { seat: isSeat, kind: oneOf("human", "bot", "closed"), character: orNull(isCharacter) },
  host_changed: { seat: isSeat, player_id: isId },
  entropy_committed: { seat: isSeat, epoch: isAmount, commit: isHex },
  entropy_closed: {
    epoch: isAmount,
    commits: listOf(shaped({ seat: isSeat, commit: isHex })),
    server_commit: isHex,
    reveal_by: orNull(isTime),
  },
  entropy_revealed: { seat: isSeat, epoch: isAmount, seed: isHex, next_commit: isHex },
  dice_selected: {
    seat: isSeat,
    dice: (value) => listOf(whole(0, 5), 1)(value) && ascending(value),
    wild_face: orNull(isFace),
    points: isAmount,
    protected: isAmount,
  },
  purse_counted: { seat: isSeat, purse: isAmount },
  clock_extended: { gap: whole(1, Number.MAX_SAFE_INTEGER), began: isTime, ended: isTime, by_ms: isAmount },
  bot_took_seat: { seat: isSeat, character: isCharacter },
  policy_named: { seat: isSeat, character: isCharacter, policy: whole(1, Number.MAX_SAFE_INTEGER) },
  advice_given: { seat: isSeat },
  player_returned: { seat: isSeat },
  seat_resigned: { seat: isSeat, lost: isAmount, credited: isAmount, total: isAmount },
  skip_ordered: { seat: isSeat },
  rematch_created: { game_id: isText },
};

/** Fields that logs of earlier releases lack, and what that means. */
const LATER = { entropy_closed: { reveal_by: null } };

/** A game folded from its log; whatever follows from the rules is reckoned anew and compared. */
class Table {
  constructor(records, seeds) {
    this.records = records;
    this.events = records.map((record) => record.event);
    this.seeds = seeds;
    this.at = 0;
    this.phase = "none";
    this.due = [];
    this.must = null;
    this.failed = [];
    this.attempts = 0;
    this.mixed = [];
    this.failedAt = null;
    this.resigned = [];
    this.gap = 0;
  }

  /** Folds the event of this index, or refuses it. */
  fold(index) {
    const event = this.events[index];
    this.index = index;
    if (this.due.length === 0) {
      if (this.must !== null && this.must !== event.type) no(`${this.must} must follow, not ${event.type}`);
      this.must = null;
      this.at = event.at;
      this.due = this.#answer(event);
    }
    const [expected] = this.due.splice(0, 1);
    if (canonical(expected) !== this.records[index].bytes) no(difference(expected, event));
  }

  /** What this event and those that must follow it look like by the rules. */
  #answer(event) {
    const handlers = HANDLERS[this.phase];
    const name = Object.hasOwn(handlers, event.type) ? handlers[event.type] : null;
    if (name === null) no(`${event.type} cannot stand here`);
    if (!isTime(event.at)) no(`${event.type}.at is no time`);
    if (Object.hasOwn(CHOSEN, event.type)) checkFields(event);
    return this[name](event);
  }

  #fact(type, fields) {
    return { at: this.at, seat: null, type, ...fields };
  }

  // The lobby

  created(event) {
    if (!event.seats.every((place) => place.player_id === null)) no("seats are held before anybody joined");
    if (event.start_seat >= event.seats.length) no("start_seat is no seat");
    for (const place of event.seats) checkPlace(place);
    this.id = event.game_id;
    this.places = event.seats.map((place) => ({ ...place }));
    this.host = event.host;
    this.passAndPlay = event.pass_and_play;
    this.startSeat = event.start_seat;
    this.commits = [...event.server_commits];
    this.standing = {};
    this.sealed = ZERO;
    this.set(event);
    this.phase = "lobby";
    if (!this.passAndPlay || this.host === null) return [event];
    // The creator holds all seats for people from the start.
    const held = this.places.map((_, seat) => seat).filter((seat) => this.places[seat].kind === "human");
    for (const seat of held) this.places[seat].player_id = this.host;
    return [event, ...held.map((seat) => this.#fact("player_joined", { seat, player_id: this.host }))];
  }

  settings(event) {
    const same = Object.keys(SETTINGS).every((key) => alike(event[key], this.now[key]));
    if (same) no("settings_changed changes nothing here");
    this.set(event);
    return [event];
  }

  set(event) {
    this.now = event;
    this.rules = event.rules;
    this.scoring = scoringOf(event.rules);
    this.dice = event.dice;
    this.clocks = event.clocks ?? { turn_s: null, game_s: null };
    this.bots = event.bots;
    this.advice = event.advice;
    this.cheats = event.cheats;
    this.n = event.rules.dice.count;
    this.#checkSeats();
    if (event.dice.kind === "scripted" && event.dice.rolls.some((roll) => roll.length > this.n)) {
      no("a scripted roll has too many dice");
    }
    if (event.cheats) this.#checkCheats(event.cheats, event.rules);
  }

  #checkSeats() {
    const { min, max } = this.rules.seats;
    const open = this.places.filter((place) => place.kind !== "closed").length;
    if (this.places.length < min || open < 1 || open > max) no("the rules are not for so many seats");
  }

  #checkCheats(cheats, rules) {
    const lists = [cheats.loaded, cheats.skip_next, cheats.always_score];
    const named = [...lists.flat(), ...Object.keys(cheats.light), ...Object.keys(cheats.head_start)];
    const open = (seat) => seat < this.places.length && this.places[seat].kind !== "closed";
    if (!named.map(Number).every(open)) no("a cheat is for no open seat");
    if (Object.keys(cheats.light).some((seat) => this.places[seat].kind !== "human")) {
      no("a light touch is for a seat that is not human");
    }
    if (cheats.always_score.length > 0 && !Number.isFinite(this.scoring.bestSingle)) {
      no("always_score without a scoring single");
    }
    for (const points of Object.values(cheats.head_start)) {
      const wrong = rules.exact !== "off" && (rules.target - points) % grain(rules) !== 0;
      if (points % 5 || points >= rules.target || wrong) no(`a head start of ${points} is not possible`);
    }
  }

  joined(event) {
    const place = this.#place(event.seat);
    if (place.kind !== "human" || place.player_id !== null) no(`seat ${event.seat} is not free`);
    const seated = this.places.some((other) => other.player_id === event.player_id);
    if (seated) no("the player sits there already");
    place.player_id = event.player_id;
    return [event];
  }

  left(event) {
    const place = this.#place(event.seat);
    if (place.player_id !== event.player_id) no(`seat ${event.seat} is not held by that player`);
    const facts = [];
    if (!event.kicked) this.#leaves(event.player_id, facts);
    else if (this.passAndPlay) no("in pass-and-play nobody is removed");
    else this.#frees(event.seat, true, facts);
    return facts;
  }

  #frees(seat, kicked, facts) {
    facts.push(this.#fact("player_left", { seat, player_id: this.places[seat].player_id, kicked }));
    this.places[seat].player_id = null;
    delete this.standing[seat];
  }

  /** All seats of a player are free; a host's role passes on, and the last one out closes the table. */
  #leaves(player, facts) {
    this.places.forEach((place, seat) => {
      if (place.player_id === player) this.#frees(seat, false, facts);
    });
    if (this.host !== player && this.host !== null) return;
    const heir = this.places.findIndex((place) => place.player_id !== null);
    if (heir < 0) this.#end("ended_early", [], facts);
    else if (this.host !== null) {
      this.host = this.places[heir].player_id;
      facts.push(this.#fact("host_changed", { seat: heir, player_id: this.host }));
    }
  }

  seatChanged(event) {
    const place = this.#place(event.seat);
    if (place.player_id !== null && !this.passAndPlay) no(`seat ${event.seat} is held by a player`);
    if (place.kind === event.kind && place.character === event.character) no("seat_changed changes nothing here");
    checkPlace(event);
    if (event.kind !== "human" && this.cheats && Object.hasOwn(this.cheats.light, event.seat)) {
      no("a seat with a light touch stays human");
    }
    place.kind = event.kind;
    place.character = event.character;
    this.#checkSeats();
    place.player_id = this.passAndPlay && event.kind === "human" ? this.host : null;
    delete this.standing[event.seat];
    return event.kind === "closed" && this.cheats ? [event, ...this.#uncheated(event.seat)] : [event];
  }

  /** With a seat that closes, the cheats set for it are gone, in the same breath. */
  #uncheated(seat) {
    const without = (value) =>
      Array.isArray(value)
        ? value.filter((other) => other !== seat)
        : Object.fromEntries(Object.entries(value).filter(([other]) => Number(other) !== seat));
    const cheats = Object.fromEntries(Object.entries(this.cheats).map(([name, value]) => [name, without(value)]));
    if (alike(cheats, this.cheats)) return [];
    const settings = Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, this.now[key]]));
    const after = this.#fact("settings_changed", { ...settings, cheats });
    this.set(after);
    return [after];
  }

  hostChanged(event) {
    const place = this.#place(event.seat);
    const seat = this.phase === "playing" ? this.seats[event.seat] : null;
    const away = seat !== null && (!seat.active || seat.standIn !== null);
    if (place.kind !== "human" || place.player_id !== event.player_id || away) {
      no(`seat ${event.seat} is not that player's`);
    }
    if (this.host === event.player_id) no("that player is the host already");
    if (this.host === null) no("the table has no host");
    this.host = event.player_id;
    return [event];
  }

  #place(seat) {
    if (seat >= this.places.length) no(`there is no seat ${seat}`);
    return this.places[seat];
  }

  // Sealing

  committed(event) {
    const { seat, epoch, commit } = event;
    if (this.#place(seat).player_id === null) no(`nobody sits at seat ${seat}`);
    if (epoch !== this.attempts) no(`the next attempt is ${this.attempts}`);
    if (this.missingBefore(seat)) no(`seat ${seat} failed to reveal, and contributes no more`);
    if (this.standing[seat] === commit) no("that commitment stands already");
    this.standing[seat] = commit;
    return [event];
  }

  missingBefore(seat) {
    return this.failed.some((attempt) => attempt.missing.includes(seat));
  }

  closed(event) {
    const open = this.places.filter((place) => place.kind !== "closed");
    if (open.some((place) => place.kind === "human" && place.player_id === null)) no("a human seat is empty");
    if (open.length < this.rules.seats.min) no("too few seats are open");
    if (open.length > this.rules.seats.max) no("too many seats are open");
    if (event.epoch !== this.attempts) no(`the next attempt is ${this.attempts}`);
    if (this.failedAt !== null && this.failedAt !== this.at) no("the next attempt is closed as the one before fails");
    this.failedAt = null;
    this.gap = 0;
    const commits = Object.keys(this.standing).map((seat) => ({
      seat: Number(seat),
      commit: this.standing[seat],
    }));
    if (!alike(event.commits, commits)) no("entropy_closed does not list exactly the commitments that stand");
    this.commits.push(event.server_commit);
    this.revealed = {};
    this.next = {};
    this.credits = 0;
    this.startedAt = this.at;
    this.revealBy = event.reveal_by ?? null;
    if (commits.length === 0) {
      if (this.revealBy !== null) no("reveal_by without anybody who could reveal");
      return [event, ...this.#begin()];
    }
    if (this.revealBy === null || this.revealBy <= this.at) no("reveal_by leaves no time to reveal");
    this.phase = "sealing";
    return [event];
  }

  revealing(event) {
    const { seat, epoch, seed } = event;
    if (this.at > this.revealBy + this.credits + GRACE_MS) no("that came after the deadline");
    if (epoch !== this.attempts) no(`attempt ${this.attempts} is open`);
    if (!Object.hasOwn(this.standing, seat)) no(`seat ${seat} takes no part in this attempt`);
    if (Object.hasOwn(this.revealed, seat)) no(`seat ${seat} has revealed already`);
    const commit = hex(seatCommit(this.id, epoch, seat, unhex(seed)));
    if (commit !== this.standing[seat]) no(`what seat ${seat} reveals is not what it committed to`);
    this.revealed[seat] = seed;
    this.next[seat] = event.next_commit;
    const all = Object.keys(this.revealed).length === Object.keys(this.standing).length;
    return all ? [event, ...this.#begin()] : [event];
  }

  sealFailed(event) {
    const silent = (seat) => !Object.hasOwn(this.revealed, seat);
    const missing = Object.keys(this.standing).filter(silent).map(Number);
    if (this.at <= this.revealBy + this.credits + GRACE_MS) no("the attempt failed before its time was up");
    const fact = this.#fact("entropy_failed", { epoch: this.attempts, missing });
    this.failed.push({ epoch: this.attempts, missing });
    this.attempts++;
    this.standing = this.next;
    this.phase = "lobby";
    const goesOn = Object.keys(this.standing).length > 0 || this.host === null;
    if (goesOn) {
      [this.must, this.failedAt] = ["entropy_closed", this.at];
      return [fact];
    }
    const facts = [fact];
    const stay = this.places.filter((_, seat) => !this.resigned.includes(seat)).map((place) => place.player_id);
    this.resigned = [];
    // Who has given up every seat it held does not wait in the lobby.
    for (const player of new Set(this.places.map((place) => place.player_id))) {
      if (player !== null && !stay.includes(player) && this.phase === "lobby") this.#leaves(player, facts);
    }
    return facts;
  }

  /** A seat given up before the first roll; what it has committed to stays in the attempt. */
  resignsEarly(event) {
    const { seat } = event;
    if (this.#place(seat).kind === "closed" || this.resigned.includes(seat)) no(`seat ${seat} does not play`);
    this.resigned.push(seat);
    const total = this.#opening(seat).score;
    const facts = [this.#fact("seat_resigned", { seat, lost: 0, credited: 0, total })];
    const open = this.places.filter((place, i) => place.kind !== "closed" && !this.resigned.includes(i));
    if (open.length < 2) this.#end("ended_early", [], facts);
    return facts;
  }

  /** The seal and the start, in one breath. */
  #begin() {
    const epoch = this.attempts;
    const parts = Object.entries(this.revealed).map(([seat, seed]) => [Number(seat), unhex(seed)]);
    this.mixed = parts.map(([seat]) => seat);
    this.sealed = seal(this.id, epoch, ZERO, unhex(this.commits[epoch]), parts);
    const facts = [this.#fact("entropy_sealed", { epoch, seal: hex(this.sealed), seats: this.mixed })];
    this.phase = "playing";
    const cheats = this.cheats ?? NO_CHEATS;
    this.seats = this.places.map((place, seat) => ({
      ...this.#opening(seat),
      board: false,
      wild: this.rules.wild_rolls?.allotment ?? 0,
      active: place.kind !== "closed" && !this.resigned.includes(seat),
      skip: cheats.skip_next.includes(seat),
      purse: 0,
      improved: 0,
      missed: 0,
      standIn: null,
      policy: null,
      advised: null,
    }));
    this.startedAt = this.at;
    this.credits = 0;
    this.script = this.dice.kind === "scripted" ? [...this.dice.rolls] : [];
    this.rolls = 0;
    this.reached = [];
    this.final = null;
    this.offer = null;
    const first = this.#nextActive(this.startSeat - 1);
    facts.push(this.#fact("game_started", { seat: first, ...this.#policies() }));
    this.#turnOf(first, facts);
    return facts;
  }

  /** Which versions the bots have is the server's word; older logs do not say. */
  #policies() {
    // entropy_closed or the last entropy_revealed, entropy_sealed, game_started.
    const started = this.events[this.index + 2];
    if (started?.type !== "game_started" || !("policies" in started)) return {};
    const { policies } = started;
    const right = listOf(shaped({ character: isCharacter, policy: whole(1, Number.MAX_SAFE_INTEGER) }));
    if (!right(policies)) no("game_started.policies cannot be so");
    const bots = this.places.filter((place) => place.kind === "bot").map((place) => place.character);
    const named = policies.map((each) => each.character);
    if (!alike([...new Set(bots)].sort(), [...named].sort())) no("game_started.policies is not of the bots at the table");
    this.places.forEach((place, seat) => {
      this.seats[seat].policy = policies.find((each) => each.character === place.character)?.policy ?? null;
    });
    return { policies };
  }

  #opening(seat) {
    const start = this.cheats?.head_start[seat] ?? 0;
    return { score: start, start };
  }

  // Whose turn it is

  #nextActive(seat) {
    const n = this.places.length;
    for (let step = 1; step <= n; step++) {
      const next = (seat + step + n) % n;
      if (this.seats[next].active) return next;
    }
    return no("no seat is left");
  }

  /** The turn of a seat, or of the first after it that does not pass. */
  #turnOf(seat, facts) {
    while (this.seats[seat].skip) {
      this.seats[seat].skip = false;
      facts.push(this.#fact("turn_skipped", { seat }));
      this.offer = null;
      if (this.final) {
        this.final = this.final.filter((other) => other !== seat);
        if (this.final.length === 0) return this.#over(facts);
        seat = this.final[0];
      } else seat = this.#nextActive(seat);
    }
    if (this.offer && this.offer.seat !== seat) this.offer = null;
    this.turn = {
      ...{ seat, began: this.at, credits: 0, faces: Array(this.n).fill(0), locked: [], rolled: [] },
      ...{ wild: false, carried: 0, banked: 0, kept: 0, sets: {}, selection: null },
    };
    return undefined;
  }

  /** After a turn of this seat whose total may have changed. */
  #after(seat, facts) {
    if (this.final) this.final = this.final.filter((other) => other !== seat);
    if (this.#reaches(this.seats[seat].score)) this.reached.push(seat);
    if (this.final === null && this.reached.length > 0) {
      const others = [];
      for (let next = this.#nextActive(seat); next !== seat; next = this.#nextActive(next)) others.push(next);
      if (this.rules.final_round === "none" || others.length === 0) return this.#over(facts);
      this.final = others;
      facts.push(this.#fact("final_round_opened", { seat, waiting: others }));
    }
    return this.#pass(seat, facts);
  }

  #pass(seat, facts) {
    if (this.final?.length === 0) return this.#over(facts);
    return this.#turnOf(this.final ? this.final[0] : this.#nextActive(seat), facts);
  }

  #reaches(total) {
    return this.rules.exact === "off" ? total >= this.rules.target : total === this.rules.target;
  }

  #over(facts) {
    const last = this.reached.filter((seat) => this.seats[seat].active).pop();
    const byOrder = this.rules.winner === "last_to_reach" && last !== undefined;
    return this.#end("target", byOrder ? [last] : this.#highest(), facts);
  }

  #highest() {
    const active = this.seats.map((_, seat) => seat).filter((seat) => this.seats[seat].active);
    const top = Math.max(...active.map((seat) => this.seats[seat].score));
    return active.filter((seat) => this.seats[seat].score === top);
  }

  #end(reason, winners, facts) {
    const seats = this.seats ?? this.places.map((_, seat) => this.#opening(seat));
    const standings = seats
      .map(({ score }, seat) => ({ score, seat }))
      .filter(({ seat }) => this.places[seat].kind !== "closed")
      .sort((a, b) => b.score - a.score || a.seat - b.seat);
    this.phase = "over";
    this.result = { reason, winners, standings };
    facts.push(this.#fact("game_finished", this.result));
    if (this.seeds) facts.push(this.#fact("fairness_revealed", { seeds: this.seeds }));
  }

  // Rolling

  rollsDice(event) {
    const told = this.#ahead("dice_rolled", "turn_banked", "turn_overshot");
    if (told.type !== "dice_rolled") {
      if (event.type !== "wild_roll_earned") no(`${event.type} cannot stand here`);
      return this.bank();
    }
    return this.#roll(told, []);
  }

  /** What the command comes to whose first events stand here. */
  #ahead(...types) {
    for (let index = this.index; index < this.events.length; index++) {
      const event = this.events[index];
      if (types.includes(event.type)) return event;
      if (!BEFORE_ROLLS.includes(event.type)) no(`${event.type} cannot stand here`);
    }
    throw new Fault("the log ends in the middle of a command", true);
  }

  takesOver(event) {
    const { offer, turn } = this;
    this.#inTime();
    if (event.seat !== turn.seat) no(`seat ${turn.seat} is to move`);
    if (offer === null || turn.rolled.length > 0) no("no banked turn is on offer");
    const total = this.seats[turn.seat].score + offer.score;
    if (this.rules.exact === "refuse" && total > this.rules.target) no("a take-over past the exact target");
    turn.carried = offer.score;
    turn.locked = offer.held.length === this.n ? [] : offer.held;
    const told = this.events[this.index + 1];
    if (told === undefined) throw new Fault("the log ends in the middle of a command", true);
    if (told.type !== "dice_rolled") no(`${told.type} stands where dice_rolled must follow`);
    if (told.wild) no("a take-over rolls ordinary dice");
    const { seat } = turn;
    const taken = this.#fact("turn_taken_over", { seat, score: offer.score, held: turn.locked });
    return this.#throw(told, [taken]);
  }

  #roll(told, facts) {
    const { turn } = this;
    this.#inTime();
    if (turn.rolled.length > 0) {
      if (turn.selection === null) no("rolled again with nothing selected");
      this.#fix(turn.selection, facts);
      turn.banked += turn.selection.worth.points;
      turn.kept += turn.selection.worth.protected;
      turn.sets = { ...turn.sets, ...turn.selection.worth.sets };
      turn.locked = [...turn.locked, ...turn.selection.dice].sort();
      if (turn.locked.length === this.n) {
        turn.locked = [];
        turn.sets = {};
        facts.push(this.#fact("hot_dice", { seat: turn.seat, score: turn.carried + turn.banked }));
      }
    }
    if (told.wild === true) this.#spend(facts);
    return this.#throw(told, facts);
  }

  /** The Jester's face is settled; five equal faces earn a Wild Roll. */
  #fix(selection, facts) {
    if (selection.named === null) return;
    const { turn } = this;
    turn.faces[this.n - 1] = selection.named;
    this.#earn(facts);
  }

  #earn(facts) {
    const { turn } = this;
    if (!this.rules.wild_rolls?.earn || turn.rolled.length !== this.n) return;
    if (turn.faces.some((face) => face !== turn.faces[0])) return;
    const seat = this.seats[turn.seat];
    seat.wild++;
    facts.push(this.#fact("wild_roll_earned", { seat: turn.seat, wild_rolls: seat.wild }));
  }

  #spend(facts) {
    const { turn } = this;
    const seat = this.seats[turn.seat];
    if (!this.rules.wild_rolls) no("there are no Wild Rolls in these rules");
    if (turn.locked.length > 0) no("a wild roll takes all dice");
    if (seat.wild > 0) {
      seat.wild--;
      return;
    }
    if (seat.purse === 0 || seat.standIn) no("no Wild Roll is left");
    const player = this.places[turn.seat].player_id;
    const left = seat.purse - 1;
    this.seats.forEach((other, i) => {
      if (this.places[i].player_id === player) other.purse = left;
    });
    facts.push(this.#fact("purse_spent", { seat: turn.seat, purse: left }));
  }

  /** The dice fall. */
  #throw(told, facts) {
    const { turn } = this;
    const { seat } = turn;
    this.offer = null;
    const wild = told.wild === true;
    turn.rolled = Array.from({ length: this.n }, (_, die) => die).filter((die) => !turn.locked.includes(die));
    const positions = wild ? turn.rolled.slice(0, -1) : turn.rolled;
    const { shown, fair, scripted } = this.#faces(told, positions, wild);
    turn.wild = wild;
    turn.selection = null;
    positions.forEach((die, i) => (turn.faces[die] = shown[i]));
    if (wild) turn.faces[this.n - 1] = 0;
    facts.push(
      this.#fact("dice_rolled", {
        ...{ seat, epoch: this.attempts, roll: this.rolls, sides: 6, positions },
        ...{ dice: shown, wild, scripted, fair },
      }),
    );
    this.rolls++;
    this.#acted();
    if (!wild) this.#earn(facts);
    const spicy = this.rules.spicy;
    const everyDie = turn.rolled.length === this.n && !wild;
    if (everyDie && spicy?.instant_win && turn.faces.every((face, die) => face === spicy.faces[die])) {
      this.#end("instant_win", [seat], facts);
    } else if (this.#allowed().length === 0) {
      this.#lose("turn_busted", turn.carried + turn.banked, turn.kept, facts);
      this.#after(seat, facts);
    }
    return facts;
  }

  #faces(told, positions, wild) {
    const n = positions.length;
    if (this.script.length > 0) {
      const shown = this.script.shift();
      if (shown.length !== n) no("the script does not fit this roll");
      return { shown, fair: null, scripted: true };
    }
    const { turn } = this;
    const laid = (list) => {
      const faces = [...turn.faces];
      positions.forEach((die, i) => (faces[die] = list[i]));
      return { ...turn, faces };
    };
    const pays = (list) => {
      const found = selections(this.scoring, { ...laid(list), rolled: positions, wild: false });
      return Math.max(0, ...found.map((one) => one.worth.points));
    };
    const busts = (list) => this.#allowed({ ...laid(list), wild }).length === 0;
    const draw = (count) => this.#draw(told, count);
    return {
      ...cheated(this.cheats ?? NO_CHEATS, turn.seat, n, this.scoring.bestSingle, draw, pays, busts),
      scripted: false,
    };
  }

  /** Fair faces: reckoned, or while the secrets are not known, those the log tells. */
  #draw(told, count) {
    const sides = Array(count).fill(6);
    if (this.dice.kind === "seeded") return faces(seeded(this.dice.seed), "", 0, this.rolls, ZERO, sides);
    if (this.seeds) {
      const secret = unhex(this.seeds[this.attempts]);
      return faces(secret, this.id, this.attempts, this.rolls, this.sealed, sides);
    }
    const list = told.fair ?? told.dice;
    if (!listOf(isFace, count, count)(list)) no("dice_rolled has not as many dice as were rolled");
    return [...list];
  }

  /** The selections of the roll on the table that the target allows. */
  #allowed(turn = this.turn) {
    return selections(this.scoring, turn).filter(({ worth }) => this.#fits(worth.points));
  }

  #fits(points) {
    const { seat, carried, banked } = this.turn;
    const total = this.seats[seat].score + carried + banked + points;
    return this.rules.exact !== "refuse" || total <= this.rules.target;
  }

  selects(event) {
    const { turn, scoring } = this;
    const { seat, dice, wild_face: named } = event;
    this.#inTime();
    if (seat !== turn.seat) no(`seat ${turn.seat} is to move`);
    if (turn.rolled.length === 0) no("selected before a roll");
    if (dice.some((die) => !turn.rolled.includes(die))) no("selected dice that were not rolled");
    const jester = turn.wild && dice.includes(this.n - 1);
    if (jester !== (named !== null)) no("wild_face belongs to the Jester, and to it alone");
    const worth = worthOf(scoring, turn, dice, named);
    if (!worth) no("the selected dice do not score together");
    if (!this.#fits(worth.points)) no("the selection leads past the exact target");
    turn.selection = { dice, named, worth };
    this.#acted();
    const told = { points: worth.points, protected: worth.protected };
    return [this.#fact("dice_selected", { seat, dice, wild_face: named, ...told })];
  }

  // The end of a turn

  /** What a bank counts of the roll on the table. */
  #counted() {
    if (this.turn.rolled.length === 0) return null;
    return this.rules.bank_takes === "all_scoring" ? best(this.#allowed()) : this.turn.selection;
  }

  bank() {
    const { turn, rules } = this;
    this.#inTime();
    if (turn.rolled.length === 0) no("banked before a roll");
    const counted = this.#counted();
    if (counted === null) no("banked with nothing selected");
    const seat = this.seats[turn.seat];
    const score = turn.carried + turn.banked + counted.worth.points;
    if (!this.#reaches(seat.score + score)) {
      if (!seat.board && score < rules.opening) no("banked below the opening");
      const hot = turn.locked.length + counted.dice.length === this.n;
      if (hot && !rules.bank_on_hot_dice) no("stopped on hot dice");
    }
    this.#acted();
    return this.#banks(counted, []);
  }

  #banks(counted, facts) {
    const { turn, rules } = this;
    const seat = this.seats[turn.seat];
    if (counted) this.#fix(counted, facts);
    const score = turn.carried + turn.banked + (counted?.worth.points ?? 0);
    const kept = turn.kept + (counted?.worth.protected ?? 0);
    if (rules.exact !== "off" && seat.score + score > rules.target) {
      this.#lose("turn_overshot", score, kept, facts);
      this.#after(turn.seat, facts);
      return facts;
    }
    const held = [...turn.locked, ...(counted?.dice ?? [])].sort();
    if (score > 0) seat.improved = this.rolls;
    seat.score += score;
    seat.board = true;
    facts.push(
      this.#fact("turn_banked", {
        ...{ seat: turn.seat, dice: counted?.dice ?? [], wild_face: counted?.named ?? null },
        ...{ held, score, total: seat.score },
      }),
    );
    const next = this.#nextActive(turn.seat);
    if (rules.take_over && next !== turn.seat) this.offer = { seat: next, score, held };
    this.#after(turn.seat, facts);
    return facts;
  }

  /** A turn that is lost; what is protected is credited, where an exact target allows it. */
  #lose(type, score, kept, facts) {
    const index = this.turn.seat;
    const credited = this.#credit(index, kept);
    if (credited > 0 && credited >= this.rules.opening) this.seats[index].board = true;
    const { score: total } = this.seats[index];
    facts.push(this.#fact(type, { seat: index, lost: score - credited, credited, total }));
  }

  #credit(index, kept) {
    const seat = this.seats[index];
    if (kept === 0) return 0;
    if (this.rules.exact !== "off" && seat.score + kept > this.rules.target) return 0;
    seat.score += kept;
    seat.improved = this.rolls;
    return kept;
  }

  resigns(event) {
    const { seat } = event;
    this.#place(seat);
    const state = this.seats[seat];
    if (!state.active) no(`seat ${seat} does not play`);
    const { turn } = this;
    let [lost, credited] = [0, 0];
    if (turn.seat === seat && turn.rolled.length > 0) {
      const selected = turn.selection?.worth ?? { points: 0, protected: 0 };
      credited = this.#credit(seat, turn.kept + selected.protected);
      lost = turn.carried + turn.banked + selected.points - credited;
    }
    state.active = false;
    const facts = [this.#fact("seat_resigned", { seat, lost, credited, total: state.score })];
    this.#withdraw(seat, facts);
    return facts;
  }

  #withdraw(seat, facts) {
    const left = this.seats.map((_, i) => i).filter((i) => this.seats[i].active);
    if (left.length === 0) return this.#end("resigned", [], facts);
    const table = this.places.filter((place) => place.kind !== "closed").length;
    if (left.length === 1 && table > 1) return this.#end("walkover", left, facts);
    if (this.final) this.final = this.final.filter((other) => other !== seat);
    if (this.final?.length === 0) return this.#over(facts);
    if (this.offer?.seat === seat) this.offer = null;
    if (this.turn.seat === seat) return this.#pass(seat, facts);
    return undefined;
  }

  // Clocks, absent players, the host, the operator

  /** A turn's deadline; null where it has none. */
  #deadline() {
    const { turn } = this;
    const timed = this.places[turn.seat].kind === "human" && !this.seats[turn.seat].standIn;
    if (this.clocks.turn_s === null || !timed) return null;
    return turn.began + 1000 * this.clocks.turn_s + turn.credits;
  }

  #gameDeadline() {
    return this.clocks.game_s === null ? null : this.startedAt + 1000 * this.clocks.game_s + this.credits;
  }

  #inTime(ofTurn = true) {
    const late = (deadline) => deadline !== null && this.at > deadline + GRACE_MS;
    if ((ofTurn && late(this.#deadline())) || late(this.#gameDeadline())) no("that came after the deadline");
  }

  /** Somebody did something in the running turn. */
  #acted() {
    const seat = this.seats[this.turn.seat];
    if (!seat.standIn) seat.missed = 0;
  }

  timesOut() {
    const { turn } = this;
    const deadline = this.#deadline();
    if (deadline === null) no("this turn has no clock");
    if (this.at <= deadline + GRACE_MS) no("the clock fired before its time");
    const seat = this.seats[turn.seat];
    seat.missed++;
    const facts = [this.#fact("turn_timed_out", { seat: turn.seat, deadline })];
    const counted = this.#counted();
    const score = turn.carried + turn.banked + (counted?.worth.points ?? 0);
    const qualified = seat.board || score >= this.rules.opening || this.#reaches(seat.score + score);
    const something = turn.rolled.length > 0 && (counted !== null || turn.locked.length > 0 || score > 0);
    if (something && qualified) return this.#banks(counted, facts);
    this.#lose("turn_lapsed", score, turn.kept + (counted?.worth.protected ?? 0), facts);
    this.#after(turn.seat, facts);
    return facts;
  }

  extended(event) {
    const { gap, began, ended } = event;
    const timed = this.phase === "sealing" || this.#deadline() !== null || this.#gameDeadline() !== null;
    if (!timed) no("no clock runs that a gap could move on");
    if (gap <= this.gap) no("that gap was credited already");
    const since = (start) => Math.max(0, ended - Math.max(began, start));
    const by = since(this.startedAt);
    if (by <= 0) no("the gap lies before the game");
    this.gap = gap;
    this.credits += by;
    if (this.phase === "playing") this.turn.credits += since(this.turn.began);
    return [this.#fact("clock_extended", { gap, began, ended, by_ms: by })];
  }

  botTakes(event) {
    const { seat } = event;
    const state = this.seats[seat];
    if (!this.bots.take_absent_seats) no("bots take no absent seats here");
    if (this.#place(seat).kind !== "human" || !state.active || state.standIn) no("no player is absent there");
    if (this.clocks.turn_s !== null && state.missed < 2) no("the player has not missed two turns in a row");
    state.standIn = event.character;
    state.policy = null;
    return [event];
  }

  namesPolicy(event) {
    const { seat, character, policy } = event;
    const state = this.seats[seat];
    const bot = this.#place(seat).character ?? state.standIn;
    if (bot !== character) no(`no such bot plays seat ${seat}`);
    if (state.policy === policy) no("that policy is known already");
    state.policy = policy;
    return [event];
  }

  advises(event) {
    const { turn } = this;
    this.#inTime();
    if (!this.advice) no("the table allows no advice");
    if (event.seat !== turn.seat) no(`seat ${turn.seat} is to move`);
    // A moment is a roll, or the turn before its first.
    const moment = 2 * this.rolls + (turn.rolled.length > 0 ? 1 : 0);
    if (this.seats[event.seat].advised === moment) no("advice was given at this moment already");
    this.seats[event.seat].advised = moment;
    this.#acted();
    return [event];
  }

  returns(event) {
    this.#place(event.seat);
    const state = this.seats[event.seat];
    if (!state.standIn) no("no bot plays for that seat");
    state.standIn = null;
    state.missed = 0;
    return [event];
  }

  dropsScript() {
    const { seat } = this.turn;
    if (this.script.length === 0) no("there is no script to drop");
    if (this.places[seat].kind !== "bot" && !this.seats[seat].standIn) no("only for a bot a script is dropped");
    const left = this.script.length;
    this.script = [];
    return [this.#fact("script_dropped", { left })];
  }

  countsPurse(event) {
    const { seat, purse } = event;
    const holder = this.#place(seat);
    if (!this.rules.wild_rolls?.purse) no("purses are left out here");
    if (holder.kind !== "human" || holder.player_id === null || !this.seats[seat].active) no("that seat has no purse");
    if (this.seats[seat].purse === purse) no("the game knew that already");
    this.seats[seat].purse = purse;
    return [event];
  }

  ordersSkip(event) {
    this.#inTime(false);
    this.#place(event.seat);
    if (this.cheats === null) no("cheats are off");
    if (!this.seats[event.seat].active) no("that seat does not play");
    this.seats[event.seat].skip = true;
    return [event];
  }

  ends(event) {
    const facts = [];
    const { reason } = event;
    const playing = this.phase === "playing";
    if (reason === "game_clock" && playing) {
      const deadline = this.#gameDeadline();
      if (deadline === null || this.at <= deadline + GRACE_MS) no("the game clock fired before its time");
      this.#end(reason, this.#first(), facts);
    } else if (reason === "ended_early") {
      if (playing) this.#inTime(false);
      const grown = playing && this.seats.some(({ score, start }) => score > start);
      this.#end(reason, grown ? this.#highest() : [], facts);
    } else if (reason === "voided") this.#end(reason, [], facts);
    else no(`the game cannot end here by ${JSON.stringify(reason)}`);
    return facts;
  }

  /** Who had the highest total first; nobody where all have nothing. */
  #first() {
    const top = this.#highest();
    if (this.seats.every(({ score }) => score === 0)) return [];
    const earliest = Math.min(...top.map((seat) => this.seats[seat].improved));
    return top.filter((seat) => this.seats[seat].improved === earliest);
  }

  voids() {
    if (this.result.reason === "voided") no("the result is void already");
    this.result = { ...this.result, reason: "voided", winners: [] };
    return [this.#fact("result_voided", {})];
  }

  rematch(event) {
    if (this.rematched) no("there is a rematch already");
    this.rematched = true;
    return [event];
  }
}

/** Which event may begin something, and in which phase. */
const HANDLERS = {
  none: { game_created: "created" },
  lobby: {
    settings_changed: "settings",
    player_joined: "joined",
    player_left: "left",
    seat_changed: "seatChanged",
    host_changed: "hostChanged",
    entropy_committed: "committed",
    entropy_closed: "closed",
    game_finished: "ends",
  },
  sealing: {
    entropy_revealed: "revealing",
    entropy_failed: "sealFailed",
    seat_resigned: "resignsEarly",
    clock_extended: "extended",
    game_finished: "ends",
  },
  playing: {
    wild_roll_earned: "rollsDice",
    hot_dice: "rollsDice",
    purse_spent: "rollsDice",
    dice_rolled: "rollsDice",
    turn_taken_over: "takesOver",
    dice_selected: "selects",
    turn_banked: "bank",
    turn_overshot: "bank",
    seat_resigned: "resigns",
    turn_timed_out: "timesOut",
    clock_extended: "extended",
    bot_took_seat: "botTakes",
    policy_named: "namesPolicy",
    advice_given: "advises",
    player_returned: "returns",
    host_changed: "hostChanged",
    script_dropped: "dropsScript",
    purse_counted: "countsPurse",
    skip_ordered: "ordersSkip",
    game_finished: "ends",
  },
  over: { result_voided: "voids", rematch_created: "rematch" },
};

function checkFields(event) {
  const fields = { at: isTime, type: isText, seat: (seat) => seat === null, ...CHOSEN[event.type] };
  const known = { ...LATER[event.type], ...event };
  for (const [key, check] of Object.entries(fields)) {
    if (!(key in known)) no(`${event.type} lacks ${key}`);
    if (!check(known[key])) no(`${event.type}.${key} cannot be ${canonical(known[key])}`);
  }
  const extra = Object.keys(event).find((key) => !Object.hasOwn(fields, key));
  if (extra !== undefined) no(`${event.type} has the unknown field ${extra}`);
}

function checkPlace({ kind, character }) {
  if ((kind === "bot") !== (character !== null)) no("a bot has a character, and nobody else has one");
}

/** In words, where what stands there differs from what the rules lead to. */
function difference(expected, found) {
  if (expected.type !== found.type) return `${found.type} stands where ${expected.type} must follow`;
  for (const key of Object.keys({ ...expected, ...found }).sort()) {
    if (!(key in expected)) return `${found.type} has the unknown field ${key}`;
    if (!(key in found)) return `${found.type} lacks ${key}`;
    if (!alike(expected[key], found[key])) {
      return `${found.type}.${key} is ${canonical(found[key])}, by the rules ${canonical(expected[key])}`;
    }
  }
  return "differs";
}

// The verdict ---------------------------------------------------------------------------------

/** Bytes of the largest file that is read. */
export const LARGEST = 1 << 28;

/** Whether a file is gzipped, as archives keep exports: to be unpacked before it is judged. */
export const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

const decoder = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Checks an export.
 *
 * @param input the file: bytes, or its text
 * @param kept what a player kept, all of it optional:
 *   heads: [[version, hash]]; commits: [[attempt, commitment of the server]];
 *   own: [[seat, attempt, value of that seat]]
 * @returns verdict: "valid", "invalid" or "incomplete"; with version and reason where it is not
 *   valid (version null: no single event is to blame); and what is known about the game
 */
export function verify(input, kept = {}) {
  const report = {
    verdict: "valid",
    version: null,
    reason: null,
    game_id: null,
    events: 0,
    dice: null,
    mixed: [],
    not_mixed: [],
    failed_attempts: [],
    cheats: null,
    rolls: 0,
    ended: null,
    winners: [],
    aborted: null,
    bots: [],
    bots_checked: false,
  };
  const spot = { version: null };
  try {
    examine(input, kept, report, spot);
  } catch (fault) {
    const tooDeep = fault instanceof RangeError;
    if (!(fault instanceof Fault) && !tooDeep) throw fault;
    report.verdict = fault.incomplete ? "incomplete" : "invalid";
    report.version = spot.version;
    report.reason = tooDeep ? "too large to be read" : fault.message;
  }
  return report;
}

function examine(input, kept, report, spot) {
  const { gameId, records } = read(input, spot);
  report.game_id = gameId;
  report.events = records.length;
  const hashes = chain(gameId, records, spot);
  const events = records.map((record) => record.event);
  const seeds = revealed(gameId, events, spot);
  const table = new Table(records, seeds);
  for (let index = 0; index < events.length; index++) {
    spot.version = index + 1;
    table.fold(index);
    if (table.id !== gameId) no("the header names another game");
  }
  spot.version = null;
  tell(table, report);
  compare(kept, hashes, events, table);
  if (table.due.length > 0 || table.must !== null) throw new Fault("the log ends in the middle of a command", true);
  if (table.phase !== "over") throw new Fault("the game is not over: the dice cannot be checked yet", true);
  if (!seeds) throw new Fault("the server's secrets are not revealed", true);
}

const isHeader = shaped({ protocol: isText, game_id: isText, format: isAmount });

/** The header and the lines. */
function read(input, spot) {
  let text = input;
  if (input.length > LARGEST) no("the file is too large");
  if (typeof input !== "string") {
    try {
      text = decoder().decode(input);
    } catch {
      no("the file is not UTF-8");
    }
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) no("the file is empty");
  const header = parse(lines.shift());
  if (!isHeader(header)) no("the first line is no header of an export");
  if (header.protocol !== "pf1" || header.format !== 1) no("an export of another protocol or format");
  if (!/^[\x21-\x7e]+$/.test(header.game_id)) no("the game's id is not ASCII");
  const records = lines.map((line, index) => {
    spot.version = index + 1;
    const record = parse(line);
    if (isHeader(record)) no("another export begins here: a file holds one game");
    if (!shaped({ version: isAmount, bytes: isText, hash: isHex })(record)) no("the line is no event of an export");
    if (record.version !== index + 1) no(`version ${record.version} stands where ${index + 1} belongs`);
    const event = parse(record.bytes);
    if (!isObject(event) || !isText(event.type) || !isTime(event.at)) no("the bytes are no event");
    if (canonical(event) !== record.bytes) no("the bytes are not canonical");
    return { ...record, event };
  });
  spot.version = null;
  if (records.length === 0) throw new Fault("the log is empty", true);
  return { gameId: header.game_id, records };
}

/** Step 1: every hash follows from the one before it. */
function chain(gameId, records, spot) {
  let last = ZERO;
  return records.map(({ version, bytes, hash }) => {
    spot.version = version;
    last = link(gameId, version, last, bytesOf(bytes));
    if (hex(last) !== hash) no("the hash does not follow from the event and the hash before it");
    return hash;
  });
}

/** Step 4: the secrets, each as it was committed to; null where none are revealed. */
function revealed(gameId, events, spot) {
  const index = events.findIndex((event) => event.type === "fairness_revealed");
  if (index < 0) return null;
  spot.version = index + 1;
  const { seeds } = events[index];
  const first = events[0].server_commits;
  const later = events.filter((event) => event.type === "entropy_closed").map((event) => event.server_commit);
  const commits = [...(Array.isArray(first) ? first : []), ...later];
  if (!listOf(isHex)(seeds) || seeds.length !== commits.length) no("not every secret is revealed");
  seeds.forEach((seed, e) => {
    if (hex(serverCommit(gameId, e, unhex(seed))) !== commits[e]) no(`secret ${e} is not the one committed to`);
  });
  return seeds;
}

/** Step 7: what a player kept stands in the log. */
function compare({ heads = [], commits = [], own = [] }, hashes, events, table) {
  for (const [version, hash] of heads) {
    if (version < 1 || version > hashes.length) throw new Fault(`version ${version}, which you kept, is not in the log`, true);
    if (hashes[version - 1] !== hash) no(`the hash you kept of version ${version} is another`);
  }
  for (const [e, commit] of commits) {
    if (table.commits[e] !== commit) no(`the server's commitment to attempt ${e} that you kept is another`);
  }
  for (const [seat, epoch, value] of own) {
    const mine = events.find((event) => event.type === "entropy_revealed" && event.seat === seat && event.epoch === epoch);
    if (mine?.seed !== value) no(`your value of attempt ${epoch} does not stand at seat ${seat}`);
  }
}

/** Step 8: what there is to know. */
function tell(table, report) {
  const open = table.places.map((_, seat) => seat).filter((seat) => table.places[seat].kind !== "closed");
  const named = (lists) => [...new Set(lists.flat().map(Number))].sort((a, b) => a - b);
  report.dice = table.dice.kind;
  report.rolls = table.rolls ?? 0;
  report.mixed = table.mixed;
  report.not_mixed = open.filter((seat) => !table.mixed.includes(seat));
  report.failed_attempts = table.failed;
  report.cheats = table.cheats;
  report.ended = table.result?.reason ?? null;
  report.winners = table.result?.winners ?? [];
  report.aborted = table.result ? !["target", "instant_win"].includes(table.result.reason) : null;
  const stoodIn = table.events.filter((event) => event.type === "bot_took_seat").map((event) => event.seat);
  report.bots = named([open.filter((seat) => table.places[seat].kind === "bot"), stoodIn]);
}

/** The report as lines of plain text. */
export function words(report) {
  const where = report.version === null ? "" : ` at version ${report.version}`;
  const because = report.reason === null ? "" : `${where}: ${report.reason}`;
  const lines = [`${report.verdict}${because}`];
  if (report.dice === null) return lines;
  const seats = seatWords;
  const { mixed, failed_attempts: failed } = report;
  lines.push(`game ${report.game_id}, ${report.events} events, ${report.rolls} rolls`);
  lines.push(
    mixed.length > 0
      ? `dice mixed by ${seats(mixed)}; ${failed.length} failed attempts`
      : `dice committed to by the server only; ${failed.length} failed attempts`,
  );
  for (const { epoch, missing } of failed) lines.push(`attempt ${epoch} failed: ${seats(missing)} did not reveal`);
  if (mixed.length > 0 && report.not_mixed.length > 0) lines.push(`not mixed: ${seats(report.not_mixed)}`);
  if (report.dice === "scripted") lines.push("dice scripted by the host: known in advance");
  if (report.dice === "seeded") lines.push("dice of a seed that the host gave: known in advance");
  lines.push(cheatWords(report.cheats));
  if (report.ended === null) lines.push("not over");
  else {
    const won = report.winners.length > 0 ? `won by ${seats(report.winners)}` : "nobody won";
    lines.push(`over (${report.ended}): ${won}${report.aborted ? "; not played to its end" : ""}`);
  }
  if (report.bots.length > 0) lines.push(`bots at ${seats(report.bots)}: their moves are legal; why they made them is not checked`);
  return lines;
}

const seatWords = (list) => (list.length === 1 ? `seat ${list[0]}` : `seats ${list.join(", ")}`);

function cheatWords(cheats) {
  if (cheats === null) return "no cheats";
  const set = Object.entries(cheats).filter(([, value]) => Object.keys(value).length > 0);
  const told = set.map(([name, value]) =>
    Array.isArray(value)
      ? `${name} (${seatWords(value)})`
      : Object.entries(value).map(([seat, what]) => `${name}: ${what} (seat ${seat})`).join(", "),
  );
  return `cheats on: ${told.length > 0 ? told.join("; ") : "none set"}`;
}

// The terminal --------------------------------------------------------------------------------

const USAGE = `usage: node verify.js [--json] [--kept VERSION:HASH] [--commit ATTEMPT:HEX]
                      [--own SEAT:ATTEMPT:HEX] FILE      (FILE may be -)
exit status: 0 valid, 1 invalid, 2 incomplete, 64 wrong usage`;

const STATUS = { valid: 0, invalid: 1, incomplete: 2 };

const isNumber = matching(/^[0-9]{1,15}$/);

/** A file's bytes; of a larger one, one more than are read. Unpacked, where it is gzipped. */
async function bytesOfFile(name) {
  const { closeSync, openSync, readSync } = await import("node:fs");
  const { gunzipSync } = await import("node:zlib");
  const file = name === "-" ? 0 : openSync(name);
  const parts = [];
  let size = 0;
  try {
    for (let read = 1; read > 0 && size <= LARGEST; size += read) {
      const part = new Uint8Array(1 << 20);
      read = readSync(file, part);
      parts.push(part.subarray(0, read));
    }
  } finally {
    if (file !== 0) closeSync(file);
  }
  const bytes = join(...parts);
  return isPacked(bytes) ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
}

async function main(argv) {
  const kept = { heads: [], commits: [], own: [] };
  const options = { "--kept": [kept.heads, 2], "--commit": [kept.commits, 2], "--own": [kept.own, 3] };
  const files = [];
  let json = false;
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === "--json") json = true;
    else if (Object.hasOwn(options, argv[i])) {
      const [list, parts] = options[argv[i]];
      const given = (argv[++i] ?? "").split(":");
      const numbers = given.slice(0, -1);
      if (given.length !== parts || !numbers.every(isNumber) || !isHex(given.at(-1))) return usage();
      list.push([...numbers.map(Number), given.at(-1)]);
    } else if (argv[i].startsWith("--")) return usage();
    else files.push(argv[i]);
  }
  if (files.length !== 1) return usage();
  let bytes;
  try {
    bytes = await bytesOfFile(files[0]);
  } catch (error) {
    console.error(error.message);
    return 64;
  }
  const report = verify(bytes, kept);
  console.log(json ? JSON.stringify(report) : words(report).join("\n"));
  return STATUS[report.verdict];
}

function usage() {
  console.error(USAGE);
  return 64;
}

if (typeof process === "object" && process.argv?.[1] !== undefined) {
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
    process.exitCode = await main(process.argv.slice(2));
  }
}
