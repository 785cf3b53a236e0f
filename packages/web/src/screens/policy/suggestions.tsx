/** Grants that would have answered what was approved more than once. They are made on a card, never from here. */
import type { GrantStop, GrantSuggestion } from '@countersign/contract'
import { useMemo } from 'react'
import { useLive } from '../../app/services.tsx'
import { useGateway } from '../../data/queries.ts'
import { ButtonLink, Loaded, Safe, Section, Sheet, Skeleton } from '../../kit/index.ts'
import { toolOf } from '../approvals/groups.ts'
import { Allowed } from './grant-row.tsx'

const stopWords: Readonly<Record<GrantStop, string>> = {
  call: 'this exact call',
  target: 'the same target',
  place: 'the same folder or host',
  tool: 'any call of the tool',
}

export function Suggestions() {
  const suggestions = useGateway(['grants', 'suggestions'], (client) => client.suggestedGrants())
  if (suggestions.data?.length === 0) return null
  return (
    <Section title="Would spare you questions" className="mt-8">
      <p className="mb-2 max-w-prose text-small text-ink-2">
        You approved these more than once in the last 30 days. A rule is made on a card, where you see what it
        covers before you save it: open a request of the tool and choose Create a rule.
      </p>
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
    () => Object.values(approvals).find((approval) => toolOf(approval) === tool),
    [approvals, tool],
  )
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-[min(100%,18rem)] flex-1">
        <p>
          <Allowed sentence={sentence} tool={tool} />
        </p>
        <p className="text-small text-ink-2">
          Would have answered <strong className="font-medium text-ink">{answers}</strong> of what you approved
          · covers {stopWords[stop]} · for the agent <Safe text={agent} />
        </p>
      </div>
      {open === undefined ? (
        <p className="text-small text-ink-3">No request of it waits now</p>
      ) : (
        <ButtonLink to={`/approvals/${open.code}`}>Make it from {open.code}</ButtonLink>
      )}
    </li>
  )
}
