/** What came of a call after it was approved. Nothing while it has not ended. */
import type { ApprovalView } from '@countersign/contract'
import { useRun } from '../environment/queries.ts'
import { Link, Safe, Section, Sheet } from '../kit/index.ts'
import { words } from '../words/approvals.tsx'
import { words as common } from '../words/common.ts'

export function CallResult({ approval }: { approval: ApprovalView }) {
  const run = useRun(approval.run)
  const call = run.data?.calls.find(({ id }) => id === approval.call)
  if (call === undefined || call.outcome === null) return null
  return (
    <Section title={words.card.result}>
      <Sheet>
        <p className={call.outcome === 'ok' ? '' : 'font-medium text-bad'}>
          <Safe text={call.summary} />
        </p>
        <p className="mt-1 text-small">
          <Link to={`/activity/${approval.run}`}>{common.chain.run}</Link>
        </p>
      </Sheet>
    </Section>
  )
}
