/** The window in which an automation is made from a sentence. It shows how the sentence is understood. */
import { readTrigger, type Tier } from '@countersign/contract'
import { useRoute } from '../../environment/route.ts'
import { useServices } from '../../environment/services.tsx'
import { Button, FormDialog, TextArea, TextField, useAct, useForm, ZoneField } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { costProblem, LimitFields } from './limit-fields.tsx'
import { TriggerPreview } from './preview.tsx'
import { ownZone } from './trigger-form.ts'
import { zoneProblem } from './zone-problem.ts'

export function AddDialog({ onClose }: { onClose: () => void }) {
  const said = words.adding
  const route = useRoute()
  const { now } = useServices()
  const { perform } = useAct([['schedules']])
  const understood = (sentence: string, zone: string) => readTrigger(sentence, { now: now(), zone })
  const form = useForm(
    { sentence: '', name: '', zone: ownZone(), cost: '0.05', tier: '1' },
    ({ sentence, zone, cost }) => {
      const read = understood(sentence, zone)
      return {
        sentence: read.kind === 'unclear' ? said.unclear : read.rest === '' ? said.noTask : undefined,
        zone: zoneProblem(zone),
        cost: costProblem(cost),
      }
    },
  )
  const { sentence, name, zone, cost, tier } = form.values
  const read = zoneProblem(zone) === undefined ? understood(sentence, zone) : undefined
  const add = () =>
    perform(
      async (client) => {
        if (read?.kind !== 'trigger') return
        const { schedule } = await client.addSchedule({
          trigger: read.trigger,
          sentence: read.rest,
          maxCostUsd: Number(cost),
          tierMax: Number(tier) as Tier,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
        })
        route.go(route.href([schedule.id]))
      },
      words.said.added(name.trim() === '' ? sentence.trim() : name.trim()),
    )
  return (
    <FormDialog title={said.title} form={form} submit={said.submit} onSubmit={add} onClose={onClose}>
      <TextArea
        rows={2}
        label={said.sentence}
        hint={said.hint}
        placeholder={said.placeholder}
        {...form.field('sentence')}
      />
      {sentence === '' ? (
        <div className="flex flex-wrap gap-2">
          {said.examples.map((example) => (
            <Button key={example} size="small" onClick={() => form.set('sentence', example)}>
              {example}
            </Button>
          ))}
        </div>
      ) : null}
      {read?.kind === 'trigger' ? <TriggerPreview trigger={read.trigger} task={read.rest} /> : null}
      <LimitFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={said.name} hint={said.nameHint} maxLength={100} {...form.field('name')} />
        <ZoneField label={words.form.zone} {...form.field('zone')} />
      </div>
    </FormDialog>
  )
}
