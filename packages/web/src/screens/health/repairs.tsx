/** Owns the problems that can be mended here: what is wrong in a sentence, and the button that mends it. */
import type { Status } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { Button, Safe, Section, Sheet, useNotify } from '../../kit/index.ts'
import { words } from '../../words/health.ts'
import { Finding, isWrong, useFindings, useRepair } from './findings.tsx'
import { type Problem, problemsOf } from './problems.ts'

export function Repairs({ status }: { status: Status }) {
  const found = (useFindings().data ?? []).filter(isWrong)
  // The check of the disk says more of it.
  const problems = problemsOf(status).filter(
    ({ kind }) => kind !== 'disk' || !found.some(({ id }) => id === 'disk'),
  )
  const mend = useMend()
  const repair = useRepair()
  return (
    <Section level={2} title={words.repairs.title} className="mt-0 mb-5">
      {problems.length + found.length === 0 ? (
        <p className="text-ink-2">{words.repairs.none}</p>
      ) : (
        <Sheet padded={false}>
          {problems.map((problem) => (
            <Repair key={problem.kind} problem={problem} mend={mend} />
          ))}
          {found.map((finding) => (
            <Finding key={finding.id} finding={finding} repair={repair} />
          ))}
        </Sheet>
      )}
    </Section>
  )
}

/** Held above the rows: a problem that is mended is gone before its receipt is there. */
function useMend() {
  const notify = useNotify()
  const mend = useChange(
    async (client, problem: Problem) => {
      switch (problem.kind) {
        case 'paused':
          await client.resume()
          return null
        case 'held':
          await client.liftGuard()
          return null
        case 'model':
          return (await client.testProvider(problem.provider)).problem
        case 'disk':
          return null
      }
    },
    [['status'], ['providers'], ['costs']],
  )
  return {
    isBusy: ({ kind }: Problem) => mend.isPending && mend.variables?.kind === kind,
    run: (problem: Problem) =>
      mend.mutate(problem, {
        onSuccess: (failed) =>
          notify(failed === null ? { text: words.repairs.done } : { text: failed, tone: 'bad' }),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      }),
  }
}

function Repair({ problem, mend }: { problem: Problem; mend: ReturnType<typeof useMend> }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <p className="min-w-0 flex-1 basis-60">
        <Safe text={words.repairs.problems[problem.kind](problem.detail)} />
      </p>
      {problem.kind === 'disk' ? null : (
        <Button busy={mend.isBusy(problem)} onClick={() => mend.run(problem)}>
          {words.repairs.fix[problem.kind]}
        </Button>
      )}
    </div>
  )
}
