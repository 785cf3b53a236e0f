/** What the checks of the gateway's machine found, each with the button that repairs it where that is safe. */
import type { FindingView } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Loaded, Safe, Section, Sheet, Time, useNotify } from '../../kit/index.ts'
import { words } from '../../words/health.ts'

export function Findings() {
  const findings = useGateway(['findings'], (client) => client.findings())
  return (
    <Section level={2} title={words.findings.title}>
      <Loaded query={findings}>
        {(all) => {
          const wrong = all.filter(({ severity }) => severity !== 'ok')
          return (
            <Sheet padded={false}>
              {wrong.map((finding) => (
                <Finding key={finding.id} finding={finding} />
              ))}
              <div className="flex flex-wrap items-center gap-3 px-4 py-3">
                <p className="min-w-0 flex-1 basis-60 text-ink-2">
                  {words.findings.well(all.length - wrong.length)}{' '}
                  <Time
                    at={new Date(findings.dataUpdatedAt).toISOString()}
                    className="text-small text-ink-3"
                  />
                </p>
                <Button size="small" busy={findings.isFetching} onClick={() => void findings.refetch()}>
                  {words.findings.again}
                </Button>
              </div>
            </Sheet>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Finding({ finding: { id, severity, evidence, fix, repairs } }: { finding: FindingView }) {
  const notify = useNotify()
  const repair = useChange((client) => client.repairFinding(id), [['findings'], ['ledger']])
  return (
    <div className="flex flex-wrap items-start gap-3 border-b border-line px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className={severity === 'error' ? 'font-medium text-bad' : 'font-medium'}>
          <Safe text={`${words.findings.names[id] ?? id}: ${evidence}`} />
        </p>
        <p className="mt-0.5 text-small text-ink-2">
          {repairs.length > 0 ? words.findings.keeps : <Safe text={fix.replaceAll('`', '')} />}
        </p>
      </div>
      {repairs.length === 0 ? null : (
        <Button
          busy={repair.isPending}
          aria-label={words.findings.repairNamed(words.findings.names[id] ?? id)}
          onClick={() =>
            repair.mutate(undefined, {
              onSuccess: ({ failed: [problem], ledger }) =>
                notify(
                  problem === undefined
                    ? { text: words.findings.repaired(ledger) }
                    : { text: problem, tone: 'bad' },
                ),
              onError: (error) => notify({ text: error.message, tone: 'bad' }),
            })
          }
        >
          {words.findings.repair}
        </Button>
      )}
    </div>
  )
}
