/** The window in which the limits of a goal are changed, and how they are shown. */
import type { GoalCard, GoalView } from '@countersign/contract'
import {
  Facts,
  FormDialog,
  Meter,
  Select,
  Sheet,
  TextArea,
  TextField,
  TierChip,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'
import { changeOf, problemsOf, valuesOf } from './limits.ts'

const tiers = [0, 1, 2, 3, 4] as const

export function LimitsDialog({ goal, onClose }: { goal: GoalView; onClose: () => void }) {
  const said = words.limitForm
  const { perform } = useAct([['goals']])
  const form = useForm(valuesOf(goal.limits), problemsOf)
  const zone = goal.limits.quietHours?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const save = () =>
    perform((client) => client.setGoal(goal.id, { limits: changeOf(form.values, zone) }), words.said.limits)
  return (
    <FormDialog
      title={said.title}
      description={said.description}
      form={form}
      submit={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={said.tier}
          options={[
            ['', words.noLimit],
            ...tiers.map((tier) => [String(tier), common.tier.names[tier]] as const),
          ]}
          {...form.field('tier')}
        />
        <TextField label={said.money} hint={said.moneyHint} inputMode="decimal" {...form.field('money')} />
      </div>
      <TextArea rows={2} label={said.hosts} hint={said.hostsHint} {...form.field('hosts')} />
      <TextArea rows={2} label={said.folders} hint={said.foldersHint} {...form.field('folders')} />
      <TextArea rows={2} label={said.tools} hint={said.toolsHint} {...form.field('tools')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField type="time" label={said.quietFrom} {...form.field('quietFrom')} />
        <TextField type="time" label={said.quietTo} hint={said.quietHint(zone)} {...form.field('quietTo')} />
      </div>
    </FormDialog>
  )
}

export function LimitFacts({ card }: { card: GoalCard }) {
  const { limits } = card.goal
  const quiet = limits.quietHours
  const named = (list: readonly string[] | undefined) =>
    list === undefined ? words.notLimited : list.length === 0 ? words.nothingAllowed : list.join(', ')
  return (
    <Sheet>
      <Facts
        rows={[
          [
            words.upTo,
            card.tierMax === null ? (
              words.noLimit
            ) : (
              <TierChip key="tier" tier={card.tierMax as (typeof tiers)[number]} />
            ),
          ],
          [words.hosts, named(limits.hosts)],
          [words.folders, named(limits.folders)],
          [words.tools, named(limits.tools)],
          [words.quiet, quiet === undefined ? null : words.quietHours(quiet.from, quiet.to, quiet.zone)],
        ]}
      />
      <div className="mt-3">
        <Meter
          label={words.spentToday}
          value={card.spentTodayUsd}
          of={card.moneyPerDayUsd ?? 0}
          words={
            card.moneyPerDayUsd === null
              ? words.spentFree(moneyWords(card.spentTodayUsd))
              : words.spentOf(moneyWords(card.spentTodayUsd), moneyWords(card.moneyPerDayUsd))
          }
        />
      </div>
    </Sheet>
  )
}
