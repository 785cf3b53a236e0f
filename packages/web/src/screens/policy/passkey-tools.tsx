/** The tools whose every call needs the operator's passkey, whatever else would let it through. */

import { useState } from 'react'
import { useTools } from '../../environment/queries.ts'
import { Button, ButtonLink, Link, Mono, Safe, Section, Select, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { usePolicyDraft } from './policy-draft.tsx'

export function PasskeyTools() {
  const { view, draft, change } = usePolicyDraft()
  const { passkeyTools } = draft
  const isFixed = view.fixed.passkeyTools !== null
  return (
    <Section title={words.passkeys.title}>
      <p className="mb-2 text-small text-ink-2">{words.passkeys.intro}</p>
      {view.passkey ? null : (
        <Sheet className="mb-2 border-bad!">
          <p className="mb-2">
            <strong className="font-medium">{words.passkeys.missing}</strong> {words.passkeys.missingText}
          </p>
          <ButtonLink to="/devices">{words.passkeys.add}</ButtonLink>
        </Sheet>
      )}
      {isFixed ? (
        <p className="mb-2 text-small text-ink-2">
          <Safe text={view.fixed.passkeyTools ?? ''} />
        </p>
      ) : null}
      {passkeyTools.length === 0 ? (
        <p className="mb-2 text-ink-2">{words.passkeys.none}</p>
      ) : (
        <Sheet padded={false} className="mb-2">
          <ul aria-label={words.passkeys.list}>
            {passkeyTools.map((tool) => (
              <li
                key={tool}
                className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 first:border-t-0"
              >
                <Link to={`/tools/${tool}`}>
                  <Mono text={tool} />
                </Link>
                <Button
                  variant="quiet"
                  disabled={isFixed}
                  aria-label={words.passkeys.removeTool(tool)}
                  onClick={() => change({ passkeyTools: passkeyTools.filter((each) => each !== tool) })}
                >
                  {words.passkeys.remove}
                </Button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {isFixed ? null : <AddTool />}
    </Section>
  )
}

function AddTool() {
  const { draft, change } = usePolicyDraft()
  const tools = useTools()
  const [chosen, setChosen] = useState('')
  const others = (tools.data ?? []).filter(({ name }) => !draft.passkeyTools.includes(name))
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Select
          label={words.passkeys.tool}
          value={chosen}
          options={[['', words.passkeys.choose], ...others.map(({ name }): [string, string] => [name, name])]}
          onChange={(event) => setChosen(event.target.value)}
        />
      </div>
      <Button
        disabled={chosen === ''}
        onClick={() => {
          change({ passkeyTools: [...draft.passkeyTools, chosen] })
          setChosen('')
        }}
      >
        {words.passkeys.addTool}
      </Button>
    </div>
  )
}
