/** Grants that would have answered what was approved more than once. They are made on a card, never from here. */

import type { GrantSuggestion } from '@countersign/contract'
import { useMemo } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useLive } from '../../environment/services.tsx'
import { ButtonLink, Loaded, Safe, Section, Sheet, Skeleton } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { Allowed } from './grant-row.tsx'

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
                <Suggestion key={`${each.agent} ${each.sentence}`} suggestion={each} />
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function Suggestion({ suggestion }: { suggestion: GrantSuggestion }) {
  const approvals = useLive((live) => live.state.approvals)
  const { sentence, tool, agent, stop, answers } = suggestion
  const open = useMemo(
    () => Object.values(approvals).find((approval) => approval.card.tool === tool),
    [approvals, tool],
  )
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-[min(100%,18rem)] flex-1">
        <p>
          <Allowed sentence={sentence} tool={tool} />
        </p>
        <p className="text-small text-ink-2">
          {words.suggestions.would(
            <strong className="font-medium text-ink">{answers}</strong>,
            words.suggestions.stops[stop],
            <Safe text={agent} />,
          )}
        </p>
      </div>
      {open === undefined ? (
        <p className="text-small text-ink-3">{words.suggestions.noRequest}</p>
      ) : (
        <ButtonLink to={`/approvals/${open.code}`}>{words.suggestions.from(open.code)}</ButtonLink>
      )}
    </li>
  )
}
