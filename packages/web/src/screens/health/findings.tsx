/** What the checks of the gateway's machine found: a row for each problem with the button that repairs it, and how many passed. */
import type { FindingView } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Loaded, Safe, Section, Sheet, Time, useNotify } from '../../kit/index.ts'
import { words } from '../../words/health.ts'

export const useFindings = () => useGateway(['findings'], (client) => client.findings())

export const isWrong = ({ severity }: FindingView): boolean => severity === 'error' || severity === 'warning'

/** Held above the rows: a row that is repaired is gone before its receipt is there. */
export function useRepair() {
  const notify = useNotify()
  const repair = useChange((client, id: string) => client.repairFinding(id), [['findings'], ['ledger']])
  return {
    isBusy: (id: string) => repair.isPending && repair.variables === id,
    run: (id: string) =>
      repair.mutate(id, {
        onSuccess: ({ failed: [problem], ledger }) =>
          notify(
            problem === undefined
              ? { text: words.findings.repaired(ledger) }
              : { text: problem, tone: 'bad' },
          ),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      }),
  }
}

export function Checks() {
  const findings = useFindings()
  return (
    <Section level={2} title={words.findings.title}>
      <Loaded query={findings}>
        {(all) => (
          <Sheet padded={false}>
            {all
              .filter(({ severity }) => severity === 'hint')
              .map((finding) => (
                <Finding key={finding.id} finding={finding} />
              ))}
            <div className="flex flex-wrap items-center gap-3 px-4 py-3">
              <p className="min-w-0 flex-1 basis-60 text-ink-2">
                {words.findings.well(all.filter(({ severity }) => severity === 'ok').length)}{' '}
                <Time at={new Date(findings.dataUpdatedAt).toISOString()} className="text-small text-ink-3" />
              </p>
              <Button size="small" busy={findings.isFetching} onClick={() => void findings.refetch()}>
                {words.findings.again}
              </Button>
            </div>
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

export function Finding({
  finding: { id, severity, evidence, fix, repairs },
  repair,
}: {
  finding: FindingView
  repair?: ReturnType<typeof useRepair>
}) {
  const name = words.findings.names[id] ?? id
  const canRepair = repair !== undefined && repairs.length > 0
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className={severity === 'error' ? 'font-medium text-bad' : undefined}>
          <Safe text={`${name}: ${evidence}`} />
        </p>
        <p className="mt-0.5 text-small text-ink-2">
          {canRepair ? words.findings.keeps : <Safe text={fix.replaceAll('`', '')} />}
        </p>
      </div>
      {canRepair ? (
        <Button
          busy={repair.isBusy(id)}
          aria-label={words.findings.repairNamed(name)}
          onClick={() => repair.run(id)}
        >
          {words.findings.repair}
        </Button>
      ) : null}
    </div>
  )
}
