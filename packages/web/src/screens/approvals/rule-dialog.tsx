/** The rule builder: how far, where, how long and how often, with what that would have covered of real history. */
import { type ApprovalView, isBroad, type RuleRequest, type StopCoverage } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../data/queries.ts'
import { ApproveButton, Button, Choice, Dialog, Loaded, Mono, Safe, Sheet, Time } from '../../kit/index.ts'

const stopWords = {
  call: 'This exact call',
  target: 'Same tool, same target',
  place: 'Same tool, this folder or host',
  tool: 'Any call of this tool',
} as const

const spans = [
  { value: '1', label: 'Today' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
] as const

const counts = [
  { value: '10', label: '10 times' },
  { value: '100', label: '100 times' },
  { value: 'any', label: 'As often as needed' },
] as const

export function RuleDialog({
  approval,
  busy,
  onClose,
  onSave,
}: {
  approval: ApprovalView
  busy: boolean
  onClose: () => void
  onSave: (rule: RuleRequest) => void
}) {
  const [chosen, setChosen] = useState<RuleRequest['stop'] | null>(null)
  const [where, setWhere] = useState<RuleRequest['where']>('agent')
  const [days, setDays] = useState<(typeof spans)[number]['value']>('30')
  const [most, setMost] = useState<(typeof counts)[number]['value']>('100')
  const coverage = useGateway(['grants', 'coverage', approval.id, where], (client) =>
    client.coverage({ approval: approval.id, where }),
  )
  const stop = chosen ?? coverage.data?.suggested ?? 'target'
  const rule: RuleRequest = {
    scope: 'rule',
    stop,
    where,
    days: Number(days),
    maxUses: most === 'any' ? null : Number(most),
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create a rule"
      description="Calls inside the rule run without asking. It never reaches above T2, and untrusted content never uses it."
      size="large"
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <ApproveButton busy={busy} disabled={coverage.data === undefined} onClick={() => onSave(rule)}>
            {isBroad(rule) ? 'Approve and save with your passkey' : 'Approve and save the rule'}
          </ApproveButton>
        </>
      }
    >
      <Loaded query={coverage}>
        {({ of, stops }) => (
          <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
            <div className="space-y-4">
              <Choice
                label="What"
                value={stop}
                options={stops.map((each) => ({
                  value: each.stop,
                  label: stopWords[each.stop],
                  ...(each.broad ? { hint: 'Too broad to save without your passkey' } : {}),
                }))}
                onChange={setChosen}
              />
              <Choice
                label="Where"
                value={where}
                options={[
                  { value: 'goal', label: 'This goal' },
                  { value: 'agent', label: 'This agent' },
                  { value: 'everywhere', label: 'Everywhere' },
                ]}
                onChange={setWhere}
              />
              <Choice label="How long" value={days} options={spans} onChange={setDays} />
              <Choice label="How often" value={most} options={counts} onChange={setMost} />
            </div>
            <CoverageView of={of} stop={stops.find((each) => each.stop === stop)} />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function CoverageView({ of, stop }: { of: number; stop: StopCoverage | undefined }) {
  if (stop === undefined) return <p>This call has no target that a rule could name. Approve it once.</p>
  return (
    <Sheet>
      <p aria-live="polite">
        Covers <strong>{stop.covered}</strong> of your last {of} calls.
      </p>
      <p className="mt-1 text-small text-ink-2">
        <Safe text={stop.sentence.replace(/, as often as needed, for [^,]+$/, '')} />
      </p>
      {stop.examples.length === 0 ? null : (
        <ul className="mt-2 space-y-0.5 text-small">
          {stop.examples.map((call) => (
            <li key={`${call.run} ${call.at}`} className="flex justify-between gap-3">
              <Mono text={call.headline} className="min-w-0 break-all" />
              <Time at={call.at} dim />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3 text-small text-ink-2">
        {stop.nearest === null ? (
          'No other call of this tool was made.'
        ) : (
          <>
            Nearest that would still ask: <Mono text={stop.nearest.headline} className="break-all" />
          </>
        )}
      </p>
      <p className="text-small text-ink-2">
        {stop.above === 0
          ? 'No call above T2 would be allowed by it.'
          : `${String(stop.above)} calls of this tool were above T2; they would still ask.`}
      </p>
    </Sheet>
  )
}
