/** Shows how each provider of models does lately, with a button that makes one small call. */
import type { ProviderView } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Chip, EmptyState, Loaded, Safe, Section, Sheet, useNotify } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words } from '../../words/health.ts'

export function Providers() {
  const providers = useGateway(['providers'], (client) => client.providers(), { everyMs: 30_000 })
  return (
    <Section level={2} title={words.providers.title}>
      <Loaded
        query={providers}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.providers.none} />}
      >
        {(all) => (
          <Sheet padded={false}>
            {all.map((provider) => (
              <Provider key={provider.name} provider={provider} />
            ))}
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function Provider({ provider: { name, title, health } }: { provider: ProviderView }) {
  const notify = useNotify()
  const test = useChange((client) => client.testProvider(name), [['providers'], ['status']])
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-b-0">
      <Safe text={title} className="font-medium" />
      <Chip tone={health.breaker === 'closed' ? 'ok' : 'bad'}>{words.providers.states[health.breaker]}</Chip>
      <span className="text-small text-ink-2">
        {words.providers.lately(
          health.calls,
          health.failures,
          health.medianMs === null ? null : lengthWords(health.medianMs),
        )}
      </span>
      <Button
        className="ms-auto"
        size="small"
        busy={test.isPending}
        aria-label={words.providers.testNamed(title)}
        onClick={() =>
          test.mutate(undefined, {
            onSuccess: ({ ok, problem, totalMs }) =>
              notify(
                ok
                  ? { text: words.providers.responded(title, lengthWords(totalMs)) }
                  : { text: problem ?? words.broken, tone: 'bad' },
              ),
            onError: (error) => notify({ text: error.message, tone: 'bad' }),
          })
        }
      >
        {words.providers.test}
      </Button>
    </div>
  )
}
