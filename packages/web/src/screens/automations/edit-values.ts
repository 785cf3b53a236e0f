/** Owns an automation as its form has it, and the change that the form asks for. */
import type { ChangeSchedule, MissedPolicy, OverlapPolicy, ScheduleView, Tier } from '@countersign/contract'
import type { Problems } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { costProblem } from './limit-fields.tsx'
import {
  pageIn,
  type TriggerKind,
  type TriggerValues,
  triggerOf,
  valuesOf,
  withPage,
} from './trigger-form.ts'
import { zoneProblem } from './zone-problem.ts'

export interface EditValues extends TriggerValues {
  readonly kind: TriggerKind
  readonly name: string
  readonly prompt: string
  readonly page: string
  readonly plan: string
  readonly cost: string
  readonly tier: string
  readonly success: string
  readonly missed: MissedPolicy
  readonly overlap: OverlapPolicy
  readonly quietFrom: string
  readonly quietTo: string
  readonly agent: string
  readonly goal: string
}

export function editValues(schedule: ScheduleView): EditValues {
  const { does, quiet } = schedule
  return {
    ...valuesOf(schedule.trigger),
    name: schedule.name,
    prompt: does.kind === 'prompt' ? does.text : '',
    page: does.kind === 'prompt' ? (pageIn(does.text) ?? '') : '',
    plan: does.kind === 'plan' ? does.plan : '',
    cost: String(schedule.maxCostUsd),
    tier: String(schedule.tierMax),
    success: schedule.success,
    missed: schedule.missed,
    overlap: schedule.overlap,
    quietFrom: quiet?.from ?? '',
    quietTo: quiet?.to ?? '',
    agent: schedule.agent,
    goal: schedule.goal ?? '',
  }
}

export function editProblems(schedule: ScheduleView, values: EditValues, now: Date): Problems<EditValues> {
  const { kind, name, prompt, page, zone, cost, quietFrom, quietTo } = values
  const isPrompt = schedule.does.kind === 'prompt'
  const watches = isPrompt && pageIn(prompt) !== undefined
  return {
    name: name.trim() === '' ? words.form.nameProblem : undefined,
    zone: zoneProblem(zone),
    value: triggerChange(schedule, values, now) === null ? words.form.valueProblem[kind] : undefined,
    prompt: isPrompt && prompt.trim() === '' ? words.form.promptProblem : undefined,
    page: watches && pageIn(page) !== page.trim() ? words.form.pageProblem : undefined,
    cost: costProblem(cost),
    quietTo: (quietFrom === '') === (quietTo === '') ? undefined : words.form.quietProblem,
  }
}

/** Undefined where it stays as it is, null where it is not understood. */
export function triggerChange(schedule: ScheduleView, { kind, value, zone }: TriggerValues, now: Date) {
  const before = valuesOf(schedule.trigger)
  if (before.kind === kind && before.value === value && before.zone === zone) return undefined
  return triggerOf({ kind, value, zone }, now) ?? null
}

export function changeOf(schedule: ScheduleView, values: EditValues, now: Date): ChangeSchedule {
  const { page, quietFrom, quietTo, zone } = values
  const trigger = triggerChange(schedule, values, now)
  return {
    name: values.name.trim(),
    ...(trigger ? { trigger } : {}),
    ...doesChange(schedule, values.prompt, page.trim(), values.plan),
    maxCostUsd: Number(values.cost),
    tierMax: Number(values.tier) as Tier,
    success: values.success.trim(),
    missed: values.missed,
    overlap: values.overlap,
    quiet:
      quietFrom === '' || quietTo === ''
        ? null
        : { from: quietFrom, to: quietTo, zone: schedule.quiet?.zone ?? zone },
    agent: values.agent,
    goal: values.goal === '' ? null : values.goal,
  }
}

function doesChange(
  { does }: ScheduleView,
  prompt: string,
  page: string,
  plan: string,
): Pick<ChangeSchedule, 'does'> {
  if (does.kind === 'prompt')
    return { does: { kind: 'prompt', text: page === '' ? prompt : withPage(prompt, page) } }
  return does.kind === 'plan' ? { does: { kind: 'plan', plan } } : {}
}
