/*
 * The minimal game that every peer plays: two seats, one die. A roll adds to the turn, a 1 ends it with
 * nothing; who holds keeps the turn's points. It has no end: a round of the benchmark has one.
 */

export const HOLD_FROM = 20;

export const fresh = () => ({ scores: [0, 0], turn: 0, die: 0 });

/** What a roll does to the state; true if it ends the turn. */
export function rolled(state, die) {
  state.die = die;
  if (die === 1) {
    state.turn = 0;
    return true;
  }
  state.turn += die;
  return false;
}

/** What holding does to it. It always ends the turn. */
export function held(state, seat) {
  state.scores[seat] += state.turn;
  state.turn = 0;
}

/** What the seat to move does next, whoever plays it. */
export const chosen = (turn) => (turn >= HOLD_FROM ? "hold" : "roll");
