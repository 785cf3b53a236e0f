/** Owns the keys of the frame: those that work on every screen, and those that lead to one. */
import type { KeyRow } from '../environment/keymap.ts'
import { words } from '../words/frame.tsx'
import { destinations } from './destinations.ts'

export const frameKeys = {
  palette: { keys: 'mod+k', label: words.keys.palette },
  help: { keys: '?', label: words.keys.help },
  pause: { keys: 'mod+shift+.', label: words.keys.pause },
  newest: { keys: 'mod+shift+j', label: words.keys.newest },
  copyLink: { keys: 'y', label: words.keys.copyLink },
} as const satisfies Record<string, KeyRow>

export const goKeys: readonly (KeyRow & { readonly path: string })[] = destinations.map(
  ({ key, title, path }) => ({ keys: `g ${key}`, label: words.keys.go(title), path }),
)
