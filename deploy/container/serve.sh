#!/bin/sh
# Serves the lore in the current folder. Clones it first where the folder is empty.
set -eu
[ -e .git ] || git clone --quiet "${KRONIKA_REMOTE:?names no repository to clone into the empty folder}" .
set -- node "$(dirname "$0")/../../dist/src/main.js" serve --repo . \
  --town "$KRONIKA_TOWN" --port "$KRONIKA_PORT" --ops-port "$KRONIKA_OPS_PORT" --reader-threads 1
[ $$ -eq 1 ] || exec "$@"
# A container without an init: this shell takes in what a git that was killed leaves, which node would not do.
"$@" &
trap 'kill -TERM $!' TERM
trap 'kill -INT $!' INT
while :; do
  code=0
  wait $! || code=$?
  kill -0 $! 2>/dev/null || exit $code
done
