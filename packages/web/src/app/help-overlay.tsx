/** Shows every key that works now, from the same table that the listener uses. */

import type { KeyRow } from '../environment/keymap.ts'
import { useKeyScopes } from '../environment/keys.tsx'
import { usePreferences } from '../environment/services.tsx'
import { Dialog, KeyHint } from '../kit/index.ts'
import { words } from '../words/frame.tsx'

export default function HelpOverlay({ onClose }: { onClose: () => void }) {
  const { letters } = usePreferences()
  const scopes = useKeyScopes().filter((scope) => !scope.modal && scope.bindings.length > 0)
  const frame = scopes.filter(({ name }) => frameScopes.includes(name))
  const screen = scopes.filter(({ name }) => !frameScopes.includes(name))
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={words.keys.title}
      description={letters ? words.keys.lettersOn : words.keys.lettersOff}
    >
      <div className="gap-8 sm:columns-2">
        {[...screen, ...frame].map(({ name, bindings }) => (
          <Rows key={name} title={name} rows={bindings} />
        ))}
      </div>
    </Dialog>
  )
}

const frameScopes: readonly string[] = [words.keys.everywhere, words.keys.goTo]

function Rows({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="mb-1">{title}</h3>
      <dl>
        {rows.map(({ keys, label }) => (
          <div
            key={keys}
            className="flex items-center justify-between gap-4 border-b border-line py-1 last:border-b-0"
          >
            <dt>{label}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
