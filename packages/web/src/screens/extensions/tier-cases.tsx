/** Calls of a tool that count for less than its tier: the argument that has to be there, and what it may name. */
import type { TierCase } from '@countersign/contract'
import { Safe, TierChip } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'

export function TierCases({ cases }: { cases: readonly TierCase[] }) {
  return cases.map((each) => (
    <p
      key={`${each.argument} ${each.values.join()}`}
      className="mt-1 flex flex-wrap gap-1.5 text-small text-ink-2"
    >
      <TierChip tier={each.tier} />
      <span className="min-w-0 break-words">
        {words.tools.onlyWith(<Safe text={each.argument} />, <Safe text={listWords(each.values)} />)}
      </span>
    </p>
  ))
}
