#!/bin/sh
# Serves the repository lore.git of the current folder over http. Makes it on the first start.
set -eu
if [ ! -d lore.git ]; then
  git init --quiet --bare --initial-branch main lore.git
  git -C lore.git config http.receivepack true
fi
exec lighttpd -D -f "$(dirname "$0")/lighttpd.conf"
