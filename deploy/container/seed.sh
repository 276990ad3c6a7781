#!/bin/sh
# Fills an empty remote with a new lore of three towns, whose apex is Arkadia. Leaves any other remote alone.
set -eu
found=0
git ls-remote --exit-code "$KRONIKA_REMOTE" main > /dev/null || found=$?
# 2: the remote answers, and has no such branch.
[ "$found" = 2 ] || exit "$found"
cd "$(mktemp -d)"
node "$(dirname "$0")/../../dist/src/main.js" init lore > /dev/null
cat > lore/.svc/fleet.json <<'JSON'
{
  "apex": "Arkadia",
  "term": 1,
  "towns": {
    "Arkadia": {"url": "http://127.0.0.1:4181/v1/api", "eligible": true},
    "Tatalia": {"url": "http://127.0.0.1:4182/v1/api", "eligible": true},
    "Deyja": {"url": "http://127.0.0.1:4183/v1/api", "eligible": true}
  }
}
JSON
cat > lore/.svc/config.json <<'JSON'
{"server": {"publish_mode": "push", "sync_interval_min": 1, "trusted_proxies": ["127.0.0.1"]}}
JSON
git -C lore add --all
git -C lore -c user.name=seed -c user.email=seed@localhost commit --quiet --message 'fleet: three towns'
git -C lore push --quiet "$KRONIKA_REMOTE" HEAD:main
