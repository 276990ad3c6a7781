#!/bin/sh
# Serves the lore in the current folder. Clones it first where the folder is empty.
set -eu
[ -e .git ] || git clone --quiet "${KRONIKA_REMOTE:?names no repository to clone into the empty folder}" .
exec node "$(dirname "$0")/../../dist/src/main.js" serve --repo . \
  --town "$KRONIKA_TOWN" --port "$KRONIKA_PORT" --ops-port "$KRONIKA_OPS_PORT" --reader-threads 1
