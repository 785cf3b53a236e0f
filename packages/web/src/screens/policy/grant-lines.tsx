/** Grants in one line each, where only what they allow matters. */

import type { GrantView } from '@countersign/contract'
import { Time, useGrowing } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { Allowed } from './grant-row.tsx'

export function GrantLines({ title, grants }: { title?: string; grants: readonly GrantView[] }) {
  const { shown, more } = useGrowing(grants)
  return (
    <div className="mb-4">
      {title === undefined ? null : (
        <h3 className="mb-1">
          {title} · {grants.length}
        </h3>
      )}
      <ul className="rounded-2 border border-line bg-sheet">
        {shown.map((grant) => (
          <li
            key={grant.id}
            className="flex flex-wrap items-baseline gap-x-3 border-t border-line px-4 py-2 first:border-t-0"
          >
            <span className="min-w-0 flex-1">
              <Allowed sentence={grant.sentence} tool={grant.tool} />
            </span>
            <span className="text-small text-ink-3">
              {grant.lastUsedAt === null
                ? words.row.neverUsed
                : words.row.usedAt(<Time at={grant.lastUsedAt} />)}
            </span>
          </li>
        ))}
      </ul>
      {more}
    </div>
  )
}
