/** What a draft would have done, what it loosens, and the two ways on: put it in force, or let it go. */

import type { PolicyCheck, PolicySimulation } from '@countersign/contract'
import { useLive } from '../../environment/services.tsx'
import { Button, ErrorState, Link, Safe, Sheet, Skeleton } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { useApplying } from './applying.ts'
import { useCheck, useSimulation } from './draft-queries.ts'
import { usePolicyDraft } from './policy-draft.tsx'
import { SimulationCounts, simulationSentence } from './simulation.tsx'

export function ChangePanel({ days = 30, brief = false }: { days?: number; brief?: boolean }) {
  const { isChanged, draft, settled } = usePolicyDraft()
  const check = useCheck()
  const isSound =
    isChanged && draft === settled && check.data !== undefined && check.data.problems.length === 0
  const simulation = useSimulation(days, isSound)
  if (!isChanged) return null
  return (
    <Sheet className="mb-4 border-act!" aria-label={words.apply.title}>
      <h3 className="mb-1">{words.apply.title}</h3>
      {check.data !== undefined && check.data.problems.length > 0 ? (
        <p className="text-bad">{words.apply.invalid(check.data.problems.length)}</p>
      ) : simulation.data === undefined ? (
        simulation.error ? (
          <ErrorState error={simulation.error} onRetry={() => void simulation.refetch()} />
        ) : (
          <div role="status">
            <p className="text-ink-2">{words.simulate.running}</p>
            <Skeleton rows={1} />
          </div>
        )
      ) : (
        <Outlook simulation={simulation.data} brief={brief} />
      )}
      {check.data === undefined ? null : <Decide check={check.data} isSound={isSound} />}
    </Sheet>
  )
}

function Outlook({ simulation, brief }: { simulation: PolicySimulation; brief: boolean }) {
  return (
    <>
      <p className="text-large" role="status">
        {simulationSentence(simulation)}
      </p>
      {brief ? (
        <p className="mt-1">
          <Link to="/policy/simulate">{words.simulate.open}</Link>
        </p>
      ) : (
        <SimulationCounts simulation={simulation} />
      )}
    </>
  )
}

function Decide({ check, isSound }: { check: PolicyCheck; isSound: boolean }) {
  const { view, base, draft, discard } = usePolicyDraft()
  const online = useLive((live) => live.link.kind === 'live')
  const { busy, problem, apply } = useApplying(discard)
  const loosens = check.loosens.length > 0
  return (
    <>
      {loosens ? (
        <div className="mt-3">
          <p className="font-medium">{words.apply.loosens}</p>
          <ul className="list-disc ps-5 text-ink-2">
            {check.loosens.map((sentence) => (
              <li key={sentence}>
                <Safe text={sentence} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {problem ? (
        <p role="alert" className="mt-3 text-bad">
          <Safe text={problem.message} />
        </p>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="go"
          busy={busy}
          disabled={!online || !isSound}
          onClick={() => apply({ view, base, document: draft, loosens })}
        >
          {loosens && view.passkey ? words.apply.withPasskey : words.apply.apply}
        </Button>
        <Button variant="quiet" onClick={discard}>
          {words.apply.discard}
        </Button>
      </div>
    </>
  )
}
