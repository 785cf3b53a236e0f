/** The window in which everything about an automation is changed. */
import type { ScheduleView } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'
import {
  type Form,
  FormDialog,
  Select,
  TextArea,
  TextField,
  useAct,
  useForm,
  useNotify,
  ZoneField,
} from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { words as common } from '../../words/common.ts'
import { changeOf, type EditValues, editProblems, editValues } from './edit-values.ts'
import { LimitFields } from './limit-fields.tsx'
import { TriggerPreview } from './preview.tsx'
import { pageIn, triggerKinds, triggerOf } from './trigger-form.ts'

const said = words.form

export function EditDialog({ schedule, onClose }: { schedule: ScheduleView; onClose: () => void }) {
  const { now } = useServices()
  const notify = useNotify()
  const { perform } = useAct([['schedules']])
  const form = useForm(editValues(schedule), (values) => editProblems(schedule, values, now()))
  const trigger = triggerOf(form.values, now())
  const save = () =>
    perform(async (client) => {
      const changed = await client.changeSchedule(schedule.id, changeOf(schedule, form.values, now()))
      const { version } = changed.schedule
      notify({ text: version === schedule.version ? words.said.saved : words.said.savedNew(version) })
    })
  return (
    <FormDialog title={said.title} form={form} submit={common.save} onSubmit={save} onClose={onClose}>
      <TextField label={said.name} maxLength={100} {...form.field('name')} />
      <WhenFields form={form} />
      {trigger === undefined ? null : <TriggerPreview trigger={trigger} />}
      <WorkFields schedule={schedule} form={form} />
      <LimitFields form={form} />
      <details>
        <summary className="target inline-flex cursor-default items-center font-medium text-act">
          {said.more}
        </summary>
        <MoreFields form={form} />
      </details>
    </FormDialog>
  )
}

interface FieldsProps {
  readonly form: Form<EditValues>
}

function WhenFields({ form }: FieldsProps) {
  const { kind } = form.values
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={said.kind}
          options={triggerKinds.map((each) => [each, said.kinds[each]] as const)}
          {...form.field('kind')}
        />
        <TextField label={said.value[kind]} hint={said.valueHint[kind]} {...form.field('value')} />
      </div>
      {kind === 'words' || kind === 'cron' ? (
        <ZoneField label={words.form.zone} {...form.field('zone')} />
      ) : null}
    </>
  )
}

function WorkFields({ schedule: { does }, form }: FieldsProps & { schedule: ScheduleView }) {
  const plans = useGateway(['plans', 'list'], (client) => client.plans({ limit: '200' }), {
    enabled: does.kind === 'plan',
  })
  switch (does.kind) {
    case 'feed':
      return <p className="text-ink-2">{words.makesFeed}</p>
    case 'plan':
      return (
        <Select
          label={said.plan}
          options={(plans.data?.plans ?? []).map(({ id, name }) => [id, name] as const)}
          {...form.field('plan')}
        />
      )
    case 'prompt':
      return (
        <>
          {pageIn(form.values.prompt) === undefined ? null : (
            <TextField label={said.page} inputMode="url" {...form.field('page')} />
          )}
          <TextArea label={said.prompt} {...form.field('prompt')} />
        </>
      )
  }
}

function MoreFields({ form }: FieldsProps) {
  const agents = useGateway(['agents'], (client) => client.agents())
  const goals = useGateway(['goals', 'open'], (client) => client.goals())
  return (
    <div className="mt-3 space-y-4">
      <TextField label={said.success} hint={said.successHint} {...form.field('success')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={said.missed} options={Object.entries(said.missedWays)} {...form.field('missed')} />
        <Select label={said.overlap} options={Object.entries(said.overlapWays)} {...form.field('overlap')} />
        <TextField type="time" label={said.quietFrom} {...form.field('quietFrom')} />
        <TextField type="time" label={said.quietTo} {...form.field('quietTo')} />
        <Select
          label={said.agent}
          options={agentOptions(form.values.agent, agents.data ?? [])}
          {...form.field('agent')}
        />
        <Select
          label={said.goal}
          options={[['', said.noGoal], ...(goals.data ?? []).map(({ id, title }) => [id, title] as const)]}
          {...form.field('goal')}
        />
      </div>
    </div>
  )
}

/** The one that is set stays to be chosen, also before the others are known. */
function agentOptions(set: string, agents: readonly { id: string; name: string }[]) {
  const known = agents.map(({ id, name }) => [id, name] as const)
  return known.some(([id]) => id === set) ? known : [[set, set] as const, ...known]
}
