/** Owns the chain from an effect back to a person, nearest first: an ordered list, each link with its entry. */

import { useGateway } from '../../environment/queries.ts'
import { EmptyState, Link, Loaded, Safe, Skeleton, Time } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'

const linkWords: Readonly<Record<string, string>> = words.why.links

export function WhyChain({ seq, hrefOf }: { seq: number; hrefOf: (seq: number) => string }) {
  const why = useGateway(['ledger', 'why', seq], (client) => client.why(`#${seq}`))
  return (
    <Loaded
      query={why}
      skeleton={<Skeleton rows={3} />}
      isEmpty={({ chain }) => chain.length === 0}
      empty={<EmptyState sentence={words.why.nothing} className="py-0" />}
    >
      {({ chain }) => (
        <ol className="relative">
          {chain.map((link, at) => (
            <li key={`${link.what}-${link.id}`} className="relative flex gap-3 pb-3 last:pb-0">
              {at === chain.length - 1 ? null : (
                <span aria-hidden className="absolute start-[4px] top-4 bottom-0 w-px bg-line-strong" />
              )}
              <span
                aria-hidden
                className="relative mt-[7px] size-[9px] shrink-0 rounded-full border-2 border-edge bg-sheet"
              />
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-3">
                  <span className="font-medium text-ink-2">{linkWords[link.what] ?? link.what}</span>
                  <Time at={link.at} />
                  {link.ledger === null || link.ledger === seq ? null : (
                    <Link to={hrefOf(link.ledger)}>#{link.ledger}</Link>
                  )}
                </div>
                <Safe text={link.sentence} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
