/** The window before a plan starts: where it will stop, and what can be approved at once. */
import type { PlanPreview, PlanView } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../../environment/queries.ts'
import { Checkbox, FormDialog, Loaded, Mono, Safe, TierChip, useAct } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'

export function StartDialog({ plan, onClose }: { plan: PlanView; onClose: () => void }) {
  const said = words.starting
  const { perform } = useAct([['plans']])
  const [ahead, setAhead] = useState(false)
  const preview = useGateway(['plans', plan.id, 'preview', plan.version], (client) =>
    client.previewPlan(plan.id),
  )
  const shown = preview.data
  const start = () =>
    perform(
      (client) => client.executePlan(plan.id, ahead && shown ? shown.digest : undefined),
      words.said.started,
    )
  return (
    <FormDialog
      title={said.title(plan.name)}
      submit={ahead && shown ? said.submitAhead(shown.lease.length) : said.submit}
      disabled={shown === undefined || shown.problems.length > 0}
      onSubmit={start}
      onClose={onClose}
    >
      <Loaded query={preview}>
        {(loaded) => (
          <>
            <Stops preview={loaded} />
            {loaded.lease.length === 0 ? null : (
              <Lease preview={loaded} checked={ahead} onChange={setAhead} />
            )}
          </>
        )}
      </Loaded>
    </FormDialog>
  )
}

function Stops({ preview: { stops, steps } }: { preview: PlanPreview }) {
  const asking = steps.filter(({ decision }) => decision !== 'allow')
  return (
    <section>
      <h3 className="text-small font-[600] text-ink-2">{words.starting.stops}</h3>
      <p className="mt-1">
        <Safe text={stops} />
      </p>
      <ul className="mt-2 space-y-2">
        {asking.map((step) => (
          <li key={step.step}>
            <span className="flex flex-wrap items-center gap-2">
              {step.tier === null || step.decision === 'question' ? null : <TierChip tier={step.tier} />}
              <Safe text={step.headline} className="min-w-0" />
              <span className="text-small text-ink-2">{words.starting.decisions[step.decision]}</span>
            </span>
            <span className="block text-small text-ink-3">
              <Safe text={step.why} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Lease({
  preview: { lease },
  checked,
  onChange,
}: {
  preview: PlanPreview
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <section className="rounded-2 border border-line px-4 py-3">
      <Checkbox label={words.starting.ahead(lease.length)} checked={checked} onChange={onChange} />
      <p className="text-small text-ink-3">{words.starting.aheadHint}</p>
      <ul className="mt-2 space-y-2">
        {lease.map(({ step, tool, args, headline }) => (
          <li key={`${step} ${args}`}>
            <Safe text={headline} />
            <Mono block text={`${tool} ${args}`} className="text-small" />
          </li>
        ))}
      </ul>
    </section>
  )
}
