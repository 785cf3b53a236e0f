/** Work that is stuck: looked for at once on request, and what was found and mended. */
import { useChange } from '../../environment/queries.ts'
import { Button, Link, Safe, Section, Sheet, useNotify } from '../../kit/index.ts'
import { words } from '../../words/health.ts'

export function StuckWork() {
  const notify = useNotify()
  const look = useChange((client) => client.inspectWork(), [['runs'], ['goals'], ['ledger']])
  const inspection = look.data
  return (
    <Section level={2} title={words.work.title}>
      <Sheet padded={false}>
        {inspection?.findings.map(({ kind, id, seen, done }) => (
          <p key={`${kind} ${id}`} className="border-b border-line px-4 py-3">
            <Safe text={`${seen} ${done}`} />
          </p>
        ))}
        {inspection?.problems.map((problem) => (
          <p key={problem} className="border-b border-line px-4 py-3 text-bad">
            <Safe text={problem} />
          </p>
        ))}
        <div className="flex flex-wrap items-center gap-3 px-4 py-3">
          <p className="min-w-0 flex-1 basis-60 text-ink-2" role="status">
            {inspection && inspection.findings.length + inspection.problems.length === 0
              ? words.work.none
              : words.work.about}{' '}
            <Link to="/ledger?q=type:health">{words.work.earlier}</Link>
          </p>
          <Button
            size="small"
            busy={look.isPending}
            onClick={() =>
              look.mutate(undefined, { onError: (error) => notify({ text: error.message, tone: 'bad' }) })
            }
          >
            {words.work.again}
          </Button>
        </div>
      </Sheet>
    </Section>
  )
}
