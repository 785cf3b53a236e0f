#!/bin/sh
# Written by `countersign service install`, which writes it anew each time.
# Finds a Node that fits and the program of Countersign, and becomes it. Both are looked for at each start, the places
# known at installation first. COUNTERSIGN_NODE names a Node that is taken before all others.
set -u

fits() {
  [ -x "$1" ] && "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number)
process.exit((a === 24 && b >= 16) || (a === 26 && b >= 1) || a > 26 ? 0 : 1)' 2>/dev/null
}

node=''
for candidate in \
  "${COUNTERSIGN_NODE:-}" \
  '/home/ana/.nvm/v24/bin/node' \
  "$(command -v node || true)" \
  /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node \
  "$HOME"/.volta/bin/node "$HOME"/.asdf/shims/node "$HOME"/.local/share/mise/shims/node \
  "$HOME"/.local/share/fnm/aliases/default/bin/node \
  "${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node
do
  if fits "$candidate"; then
    node=$candidate
    break
  fi
done
if [ -z "$node" ]; then
  echo 'countersign: no Node 24.16 or newer was found. Install one, then run `countersign service install`.' >&2
  exit 78
fi

folder=${node%/*}
for program in \
  '/home/ana/it'\''s/countersign.js' \
  "$folder"/../lib/node_modules/countersign/countersign.js \
  /usr/local/lib/node_modules/countersign/countersign.js \
  /usr/lib/node_modules/countersign/countersign.js \
  /opt/homebrew/lib/node_modules/countersign/countersign.js \
  "$HOME"/.npm-global/lib/node_modules/countersign/countersign.js \
  "$HOME"/.local/lib/node_modules/countersign/countersign.js
do
  if [ -f "$program" ]; then
    PATH="$folder:$PATH"
    export PATH
    exec "$node" "$program" "$@"
  fi
done
echo 'countersign: the program was not found. Install it with `npm install -g countersign`, then run `countersign service install`.' >&2
exit 78
