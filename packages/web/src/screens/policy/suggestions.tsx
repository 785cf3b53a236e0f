/** Grants that would have answered what asked again and again, each with what it would have answered, and made in one tap. */

import type { GrantSuggestion } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { useLive } from '../../environment/services.tsx'
import { Button, Loaded, Mono, Safe, Section, Sheet, Skeleton, Time, useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'
import { Allowed, Warning } from './grant-row.tsx'

export function Suggestions() {
  const suggestions = useGateway(['grants', 'suggestions'], (client) => client.suggestedGrants())
  if (suggestions.data?.length === 0) return null
  return (
    <Section title={words.suggestions.title} className="mt-8">
      <p className="mb-2 max-w-prose text-small text-ink-2">{words.suggestions.intro}</p>
      <Loaded query={suggestions} skeleton={<Skeleton rows={2} />}>
        {(all) => (
          <Sheet padded={false}>
            <ul>
              {all.map((each) => (
                <Suggestion key={each.id} suggestion={each} />
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function Suggestion({ suggestion }: { suggestion: GrantSuggestion }) {
  const online = useLive((live) => live.link.kind === 'live')
  const notify = useNotify()
  const { id, sentence, tool, agent, untrusted, answers, of, examples } = suggestion
  const take = useChange((client) => client.takeSuggestion(id), [['grants']])
  const create = () =>
    take.mutate(undefined, {
      onSuccess: ({ ledger }) =>
        notify({ text: `${words.suggestions.created} ${common.ledgerEntry(ledger)}` }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-[min(100%,18rem)] flex-1">
        <p>
          <Allowed sentence={sentence} tool={tool} />
        </p>
        {untrusted ? <Warning sentence={sentence} /> : null}
        <details className="mt-0.5 text-small text-ink-2">
          <summary className="cursor-pointer">
            {words.suggestions.would(
              <strong className="font-medium text-ink">{answers}</strong>,
              of,
              <Safe text={agent} />,
            )}
          </summary>
          <ul className="mt-1 space-y-0.5">
            {examples.map((call) => (
              <li key={`${call.run} ${call.at}`} className="flex justify-between gap-3">
                <Mono text={call.headline} className="min-w-0 break-all" />
                <Time at={call.at} dim />
              </li>
            ))}
          </ul>
        </details>
      </div>
      <Button disabled={!online} busy={take.isPending} onClick={create}>
        {words.suggestions.create}
      </Button>
    </li>
  )
}
