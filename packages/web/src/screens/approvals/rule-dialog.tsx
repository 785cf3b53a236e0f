/** The rule builder: how far, where, how long and how often, with what that would have covered of real history. */

import { type ApprovalView, isBroad, type RuleRequest, type StopCoverage } from '@countersign/contract'
import { useState } from 'react'
import { allowedPart, warningPart } from '../../deciding/grant-sentence.ts'
import { useGateway } from '../../environment/queries.ts'
import { ApproveButton, Button, Choice, Dialog, Loaded, Mono, Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { words as common } from '../../words/common.ts'

const spans = [
  { value: '1', label: words.rule.spans[1] },
  { value: '30', label: words.rule.spans[30] },
  { value: '90', label: words.rule.spans[90] },
  { value: '365', label: words.rule.spans[365] },
] as const

const counts = [
  { value: '10', label: words.rule.counts[10] },
  { value: '100', label: words.rule.counts[100] },
  { value: 'any', label: words.rule.counts.any },
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
  const [chosen, setChosen] = useState<string | null>(null)
  const [where, setWhere] = useState<RuleRequest['where']>('agent')
  const [days, setDays] = useState<(typeof spans)[number]['value']>('30')
  const [most, setMost] = useState<(typeof counts)[number]['value']>('100')
  const coverage = useGateway(['grants', 'coverage', approval.id, where], (client) =>
    client.coverage({ approval: approval.id, where }),
  )
  const offered = coverage.data?.stops ?? []
  const picked =
    offered.find((each) => keyOf(each) === (chosen ?? keyOf(coverage.data?.suggested))) ?? offered[0]
  const { stop, untrusted } = picked ?? { stop: 'target' as const, untrusted: false }
  const rule: RuleRequest = {
    scope: 'rule',
    stop,
    ...(untrusted ? { untrusted } : {}),
    where,
    days: Number(days),
    maxUses: most === 'any' ? null : Number(most),
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.rule.title}
      description={words.rule.description}
      size="large"
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <ApproveButton busy={busy} disabled={picked === undefined} onClick={() => onSave(rule)}>
            {isBroad(rule) ? words.rule.saveWithPasskey : words.rule.save}
          </ApproveButton>
        </>
      }
    >
      <Loaded query={coverage}>
        {({ of, stops }) => (
          <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
            <div className="space-y-4">
              <Choice
                label={words.rule.what}
                value={keyOf(picked)}
                options={stops.map((each) => ({
                  value: keyOf(each),
                  label: each.untrusted
                    ? words.rule.evenUntrusted(words.rule.stops[each.stop])
                    : words.rule.stops[each.stop],
                  ...(each.broad ? { hint: words.rule.broad } : {}),
                }))}
                onChange={setChosen}
              />
              <Choice
                label={words.rule.where}
                value={where}
                options={[
                  { value: 'goal', label: words.rule.places.goal },
                  { value: 'agent', label: words.rule.places.agent },
                  { value: 'everywhere', label: words.rule.places.everywhere },
                ]}
                onChange={setWhere}
              />
              <Choice label={words.rule.howLong} value={days} options={spans} onChange={setDays} />
              <Choice label={words.rule.howOften} value={most} options={counts} onChange={setMost} />
            </div>
            <CoverageView of={of} stop={picked} />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Of one choice: how far, and whether it holds after untrusted content was read. */
function keyOf(choice: Pick<StopCoverage, 'stop' | 'untrusted'> | undefined): string {
  return choice === undefined ? '' : `${choice.stop}${choice.untrusted ? ' untrusted' : ''}`
}

function CoverageView({ of, stop }: { of: number; stop: StopCoverage | undefined }) {
  if (stop === undefined) return <p>{words.rule.noTarget}</p>
  return (
    <Sheet>
      <p aria-live="polite">{words.rule.covers(<strong>{stop.covered}</strong>, of, stop.asked)}</p>
      <p className="mt-1 text-small text-ink-2">
        <Safe text={allowedPart(stop.sentence)} />
      </p>
      {stop.untrusted ? (
        <p className="mt-1 text-small text-bad">
          <Safe text={warningPart(stop.sentence)} />
        </p>
      ) : null}
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
        {stop.nearest === null
          ? words.rule.noOther
          : words.rule.nearest(<Mono text={stop.nearest.headline} className="break-all" />)}
      </p>
      <p className="text-small text-ink-2">
        {stop.above === 0 ? words.rule.noneAbove : words.rule.above(stop.above)}
      </p>
    </Sheet>
  )
}
