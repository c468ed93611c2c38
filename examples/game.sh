#!/usr/bin/env bash
# A game against a bot in a terminal, with nothing but curl and jq.
#
#     game.sh [SERVER] [PRESET] [CHARACTER] [OPTIONS]      OPTIONS as '{"target": 2000}'
#
# Enter rolls. With dice on the table: 2 keeps the second selection and rolls on, 2b keeps it and
# banks, b banks what is there, q resigns. TOKEN, where it is set, is who plays; otherwise a guest.
set -euo pipefail

server=${1:-http://127.0.0.1:8000} preset=${2:-farkle} character=${3:-cautious} options=${4:-{\}}
command -v jq >/dev/null || { echo "game.sh needs jq: apt install jq, brew install jq" >&2; exit 69; }

api() { # METHOD PATH [BODY]: the answer, or the problem; repeated under one key until one comes
  local key answer
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  until answer=$(curl -s --max-time 60 -X "$1" "$server/v1$2" \
      -H 'Content-Type: application/json' -H "Idempotency-Key: $key" \
      ${TOKEN:+-H "Authorization: Bearer $TOKEN"} ${3:+-d "$3"}); do
    echo "…the server is away" >&2
    sleep 1
  done
  printf '%s' "$answer"
}

TOKEN=${TOKEN:-$(api POST /players '{"name": "Terminal"}' | jq -r .token)}
game=$(api POST /games "$(jq -n --arg preset "$preset" --arg character "$character" --argjson options "$options" '{
  rules: {preset: $preset, options: $options},
  seats: [{kind: "human"}, {kind: "bot", character: $character}]
}')")
id=$(jq -r '.id // empty' <<<"$game")
[ -n "$id" ] || { jq -r .detail <<<"$game" >&2; exit 1; }
echo "game $id"
game=$(api POST "/games/$id/start" | jq .game)

act() { # COMMAND [BODY]: shows what it led to, or why it was refused
  local answer
  answer=$(api POST "/games/$id/$1" "${2:-{\}}")
  if jq -e .code >/dev/null <<<"$answer"; then
    jq -r '"no: " + .detail' <<<"$answer"
  else
    jq -r '.events[] | select(.type | test("busted|banked|overshot|hot")) | .type' <<<"$answer"
    game=$(jq .game <<<"$answer")
  fi
}

while read -r status seat version < <(jq -r '"\(.status) \(.legal.seat?) \(.version)"' <<<"$game"); do
  [ "$status" = playing ] || break
  if [ "$seat" != 0 ]; then
    api GET "/games/$id/events?after=$version&wait=20" >/dev/null
    game=$(api GET "/games/$id")
    continue
  fi
  jq -r '"\(.seats | map(.score | tostring) | join(" : "))   turn \(.turn.score)   dice " +
    ([.turn.dice[] | if .state == "rolled" then (.face // "J" | tostring)
                     elif .state == "locked" then "(\(.face))" else "-" end] | join(" ")),
    (.legal.selections | to_entries[] |
      "  \(.key + 1): dice \([.value.dice[] + 1] | join(" "))" +
      (if .value.wild_face then " as \(.value.wild_face)" else "" end) + " = \(.value.points)")' <<<"$game"
  read -r -p "> " choice || choice=q
  number=${choice%b}
  case $choice in
    q) act resign ;;
    "") act roll ;;
    b) act bank ;;
    *[!0-9b]* | *b*b*) echo "a number, a number with b, b, q, or Enter" ;;
    *)
      picked=$(jq -c --argjson n "$number" \
        '.legal.selections[$n - 1] // {dice: [0]} | {select: ({dice, wild_face} | del(.[] | nulls))}' <<<"$game")
      if [ "$choice" = "$number" ]; then act roll "$picked"; else act bank "$picked"; fi
      ;;
  esac
done
jq -r '"\(.result.reason): " +
  ([.result.standings[] | "seat \(.seat) \(.score)"] | join(", ")) +
  ", won by \(.result.winners | map("seat \(.)") | join(" and "))"' <<<"$game"
