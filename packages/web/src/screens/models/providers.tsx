/** Those who answer: how they do, and everything that can be done with each. */
import type { DetectedProvider, ProviderView } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useChange } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  EmptyState,
  Facts,
  Loaded,
  Menu,
  Mono,
  Safe,
  Section,
  Sheet,
  Time,
  type Tone,
  useNotify,
} from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words } from '../../words/models.tsx'
import { AddProvider } from './add-provider.tsx'
import { ChangeProvider } from './change-provider.tsx'
import { touched, useDetected, useProviders } from './model-queries.ts'
import { RemoveProvider } from './remove-provider.tsx'
import { TestProvider } from './test-provider.tsx'

export function Providers() {
  const providers = useProviders()
  const [adding, setAdding] = useState(false)
  useAskedFor('add', () => setAdding(true))
  const add = (
    <Button variant="go" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <Loaded
        query={providers}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={words.none} action={add} />}
      >
        {(rows) => (
          <>
            <div className="mb-4 flex justify-end">{add}</div>
            <ul className="grid gap-4 lg:grid-cols-2">
              {rows.map((provider) => (
                <li key={provider.name}>
                  <ProviderCard provider={provider} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Found />
      {adding ? (
        <AddProvider
          taken={(providers.data ?? []).map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </>
  )
}

type Opened = 'test' | 'change' | 'remove' | null

function ProviderCard({ provider }: { provider: ProviderView }) {
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const { health } = provider
  return (
    <Sheet className="h-full">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-base font-[600]">
          <Safe text={provider.name} />
        </h2>
        <StateChip provider={provider} />
        <div className="ms-auto flex gap-1">
          <Button size="small" onClick={() => setOpened('test')}>
            {words.test}
          </Button>
          <ProviderMenu provider={provider} onOpen={setOpened} />
        </div>
      </div>
      <Facts
        className="mt-3"
        rows={[
          [words.kind, words.kinds[provider.kind]],
          [words.address, provider.url === '' ? null : <Mono key="url" text={provider.url} />],
          [words.key, words.keys[provider.key]],
          [words.lately, words.calls(health.calls, health.failures)],
          [words.median, health.medianMs === null ? null : lengthWords(health.medianMs)],
          [words.order, String(provider.priority)],
          [
            words.slowed,
            health.opensAgainAt === null ? null : (
              <span key="again">
                {words.until} <Time at={health.opensAgainAt} />
              </span>
            ),
          ],
        ]}
      />
      {opened === 'test' ? <TestProvider provider={provider} onClose={close} /> : null}
      {opened === 'change' ? <ChangeProvider provider={provider} onClose={close} /> : null}
      {opened === 'remove' ? <RemoveProvider provider={provider} onClose={close} /> : null}
    </Sheet>
  )
}

function StateChip({ provider }: { provider: ProviderView }) {
  const state = stateOf(provider)
  return <Chip tone={tones[state]}>{words.states[state]}</Chip>
}

type ProviderState = 'off' | 'noKey' | 'failing' | 'unused' | 'answers'
const tones: Readonly<Record<ProviderState, Tone>> = {
  off: 'plain',
  noKey: 'bad',
  failing: 'bad',
  unused: 'plain',
  answers: 'ok',
}

/** The first of these that holds. Pure. */
export function stateOf({
  enabled,
  key,
  health,
}: Pick<ProviderView, 'enabled' | 'key' | 'health'>): ProviderState {
  if (!enabled) return 'off'
  if (key === 'missing') return 'noKey'
  if (health.calls === 0) return 'unused'
  return health.failures * 2 > health.calls ? 'failing' : 'answers'
}

function ProviderMenu({ provider, onOpen }: { provider: ProviderView; onOpen: (what: Opened) => void }) {
  const notify = useNotify()
  const { name, enabled, source } = provider
  const change = useChange((client, on: boolean) => client.setProvider(name, { enabled: on }), touched)
  // What a file or the environment of the gateway says is changed there.
  const isFixed = source === 'configuration'
  const fixed = isFixed ? words.inConfiguration : undefined
  return (
    <Menu
      label={words.more}
      items={[
        { label: words.change, detail: fixed, disabled: isFixed, run: () => onOpen('change') },
        {
          label: enabled ? words.turnOff : words.turnOn,
          detail: fixed,
          disabled: isFixed || change.isPending,
          run: () =>
            change.mutate(!enabled, {
              onSuccess: ({ ledger }) => notify({ text: (enabled ? words.isOff : words.isOn)(name, ledger) }),
              onError: (error) => notify({ text: error.message, tone: 'bad' }),
            }),
        },
        { label: words.remove, detail: fixed, disabled: isFixed, run: () => onOpen('remove') },
      ]}
    />
  )
}

/** What runs on this machine or lies in the gateway's environment, and is not set up yet. */
function Found() {
  const detected = useDetected()
  const rows = detected.data ?? []
  if (rows.length === 0) return null
  return (
    <Section level={2} title={words.found} className="mt-8">
      <ul className="grid gap-3 lg:grid-cols-2">
        {rows.map((found) => (
          <FoundProvider key={found.name} found={found} />
        ))}
      </ul>
    </Section>
  )
}

function FoundProvider({ found }: { found: DetectedProvider }) {
  const notify = useNotify()
  const add = useChange(
    (client) =>
      client.addProvider({
        name: found.name,
        kind: found.kind,
        ...(found.url === null ? {} : { url: found.url }),
        keyFromEnvironment: found.variable !== null,
      }),
    touched,
  )
  return (
    <li>
      <Sheet className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium">
            <Safe text={found.title} />
          </p>
          <p className="text-small text-ink-2">
            {found.variable === null
              ? words.runsAt(<Mono text={found.url ?? ''} />)
              : words.keyIn(<Mono text={found.variable} />)}
          </p>
        </div>
        <Button
          busy={add.isPending}
          onClick={() =>
            add.mutate(undefined, {
              onSuccess: ({ ledger }) => notify({ text: words.added(found.name, ledger) }),
              onError: (error) => notify({ text: error.message, tone: 'bad' }),
            })
          }
        >
          {words.use}
        </Button>
      </Sheet>
    </li>
  )
}
