/**
 * Owns the script that a service starts: it finds a Node that fits and the program when it is started. So the service
 * file names neither, and a version manager may remove either without breaking it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ShimOptions {
  /** What runs now; looked at first. */
  readonly node: string
  readonly program: string
}

/** The exit code that says: do not try again before somebody has looked. */
export const nothingFoundExit = 78

export function shimText({ node, program }: ShimOptions): string {
  return `#!/bin/sh
# Written by \`countersign service install\`, which writes it anew each time.
# Finds a Node that fits and the program of Countersign, and becomes it. Both are looked for at each start, the places
# known at installation first. COUNTERSIGN_NODE names a Node that is taken before all others.
set -u

fits() {
  [ -x "$1" ] && "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number)
process.exit((a === 24 && b >= 16) || (a === 26 && b >= 1) || a > 26 ? 0 : 1)' 2>/dev/null
}

node=''
for candidate in \\
  "\${COUNTERSIGN_NODE:-}" \\
  ${quoted(node)} \\
  "$(command -v node || true)" \\
  /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node \\
  "$HOME"/.volta/bin/node "$HOME"/.asdf/shims/node "$HOME"/.local/share/mise/shims/node \\
  "$HOME"/.local/share/fnm/aliases/default/bin/node \\
  "\${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node
do
  if fits "$candidate"; then
    node=$candidate
    break
  fi
done
if [ -z "$node" ]; then
  echo 'countersign: no Node 24.16 or newer was found. Install one, then run \`countersign service install\`.' >&2
  exit ${nothingFoundExit}
fi

folder=\${node%/*}
for program in \\
  ${quoted(program)} \\
  "$folder"/../lib/node_modules/countersign/countersign.js \\
  /usr/local/lib/node_modules/countersign/countersign.js \\
  /usr/lib/node_modules/countersign/countersign.js \\
  /opt/homebrew/lib/node_modules/countersign/countersign.js \\
  "$HOME"/.npm-global/lib/node_modules/countersign/countersign.js \\
  "$HOME"/.local/lib/node_modules/countersign/countersign.js
do
  if [ -f "$program" ]; then
    PATH="$folder:$PATH"
    export PATH
    exec "$node" "$program" "$@"
  fi
done
echo 'countersign: the program was not found. Install it with \`npm install -g countersign\`, then run \`countersign service install\`.' >&2
exit ${nothingFoundExit}
`
}

/** The program that a script looks for first; undefined where it is no script of ours. */
export function shimProgram(text: string): string | undefined {
  const found = /^for program in \\\n {2}'((?:[^']|'\\'')*)' \\$/m.exec(text)?.[1]
  return found?.replaceAll(`'\\''`, "'")
}

/** This very command: beside its parts when published, and in the repository its source. */
export function ownProgram(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const candidates = [join(here, 'countersign.js'), join(here, '..', 'main.ts')]
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`This program was not found in any of these places: ${candidates.join(', ')}.`)
  return realpathSync(found)
}

/** A copy that npx made for one call, and may remove at any time. */
export function isPassing(program: string): boolean {
  return /[\\/]_npx[\\/]/.test(program)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
