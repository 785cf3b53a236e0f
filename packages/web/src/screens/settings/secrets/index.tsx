/** Secrets by name: where each may go, when it was used, and everything that can be done with it. Never a value. */
import { destinationText, type SecretEntry } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../../environment/asked-for.ts'
import { useGateway } from '../../../environment/queries.ts'
import { Button, EmptyState, Facts, Loaded, Menu, Mono, Safe, Sheet, Time } from '../../../kit/index.ts'
import { words } from '../../../words/secrets.ts'
import { RemoveSecret } from './remove-secret.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { StoreSecret } from './store-secret.tsx'

export function Secrets() {
  const secrets = useGateway(['secrets'], (client) => client.secrets())
  const [adding, setAdding] = useState(false)
  useAskedFor('add', () => setAdding(true))
  const add = (
    <Button variant="go" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <p className="mb-4 max-w-prose text-ink-2">{words.about}</p>
      <Loaded
        query={secrets}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={words.none} action={add} />}
      >
        {(rows) => (
          <>
            <ul className="space-y-3">
              {rows.map((secret) => (
                <li key={secret.name}>
                  <SecretCard secret={secret} />
                </li>
              ))}
            </ul>
            <div className="mt-4">{add}</div>
          </>
        )}
      </Loaded>
      {adding ? (
        <StoreSecret taken={(secrets.data ?? []).map(({ name }) => name)} onClose={() => setAdding(false)} />
      ) : null}
    </>
  )
}

function SecretCard({ secret }: { secret: SecretEntry }) {
  const [opened, setOpened] = useState<'rotate' | 'remove' | null>(null)
  const close = () => setOpened(null)
  return (
    <Sheet>
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1 text-base font-[600]">
          <Mono text={secret.name} className="bg-transparent px-0" />
        </h3>
        <Menu
          label={words.more}
          items={[
            { label: words.rotate, run: () => setOpened('rotate') },
            { label: words.remove, run: () => setOpened('remove') },
          ]}
        />
      </div>
      {secret.description === '' ? null : (
        <p className="text-ink-2">
          <Safe text={secret.description} />
        </p>
      )}
      <Facts
        className="mt-2"
        rows={[
          [words.goesTo, <Safe key="to" text={secret.destinations.map(destinationText).join(', ')} />],
          [
            words.tools,
            secret.tools.length === 0 ? words.everyTool : <Safe key="by" text={secret.tools.join(', ')} />,
          ],
          [
            words.lastUsed,
            secret.lastUsedAt === null ? words.never : <Time key="used" at={secret.lastUsedAt} />,
          ],
          [words.changedAt, <Time key="changed" at={secret.rotatedAt ?? secret.createdAt} />],
        ]}
      />
      {opened === 'rotate' ? <RotateSecret name={secret.name} onClose={close} /> : null}
      {opened === 'remove' ? <RemoveSecret name={secret.name} onClose={close} /> : null}
    </Sheet>
  )
}
