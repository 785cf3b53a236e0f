/**
 * Owns how much is asked and how much may be spent: one question, three cards, and two limits of money. Refuses to
 * loosen any of it without the operator's passkey, once there is one.
 */
import {
  Autonomy,
  autonomyText,
  SafetyChoice as ChoiceShape,
  CountersignError,
  type GatewayId,
  isLooser,
  type PasskeyProof,
  type SafetyCard,
  type SafetyChoice,
  type SafetyProof,
  type SafetySetting,
  SetBudget,
} from '@countersign/contract'
import type { Actor, EntryDraft, Kernel } from '@countersign/kernel'
import type { AutonomyAdmin } from '../autonomy.ts'
import { referenceWeek } from './reference-week.ts'
import type { SetupStepHandler } from './setup-step.ts'
import type { SetupWords } from './words/index.ts'

export interface SafetyStepParts {
  readonly autonomy: AutonomyAdmin
  /** Refuses what loosens anything and was not proven, once there is a passkey. */
  readonly loadLevel: (level: Autonomy, by: Actor, proven: boolean) => Promise<unknown>
  readonly budgets: Pick<Kernel['budgets'], 'list' | 'set'>
  readonly act: (operator: Parameters<Kernel['act']>[0], entry: EntryDraft) => Promise<number>
  readonly gateway: GatewayId
  /** Whether a live passkey stands behind the operator. Rejects when that cannot be known. */
  readonly hasPasskey: () => Promise<boolean>
  readonly proves: (proof: PasskeyProof, text: string) => Promise<boolean>
  readonly clock: () => Date
}

/** A proof holds while it is fresh, and once. */
const freshMs = 10 * 60_000

export const usualMonthlyUsd = 10

const { calls, asked } = referenceWeek

const levelOf: Readonly<Record<Exclude<SafetyChoice, 'custom'>, Autonomy>> = {
  boundaries: 'medium',
  everything: 'none',
}

export function safetyStep(parts: SafetyStepParts): SetupStepHandler<'safety'> {
  const { autonomy, budgets, act } = parts
  let provenAt = 0

  /** A stolen device that seals must not be able to take the questions away. */
  async function requireProof(
    before: SafetySetting,
    after: SafetySetting,
    proof: SafetyProof | undefined,
  ): Promise<void> {
    if (!(await parts.hasPasskey())) return
    const at = Date.parse(proof?.at ?? '')
    const isFresh = Math.abs(parts.clock().getTime() - at) < freshMs && at > provenAt
    const text = proof && autonomyText({ gateway: parts.gateway, before, after, at: proof.at })
    if (!proof || !text || !isFresh || !(await parts.proves(proof.passkey, text)))
      throw new CountersignError('step_up_needed', 'Asking less or spending more needs your passkey.', {
        next: 'Change it in the web app with your passkey: `countersign open setup`.',
      })
    provenAt = at
  }

  async function limits(operator: Parameters<Kernel['act']>[0]) {
    const all = await budgets.list(operator)
    const find = (name: string) => all.find((budget) => budget.name === name && budget.hard)?.limitUsd
    return { monthlyUsd: find('global:month'), unattendedUsd: find('unattended:month') ?? 0 }
  }

  return {
    skippable: false,
    async look(operator, { notes }, words) {
      const { monthlyUsd, unattendedUsd } = await limits(operator)
      const chosen = ChoiceShape.safeParse(notes['choice'])
      return {
        data: {
          cards: cards(words),
          levels: Autonomy.options.map((level) => ({
            level,
            about: words.safety.levels[level],
            asks: asked[level],
          })),
          calls,
          level: autonomy.current(),
          fixed: autonomy.fixed(),
          monthlyUsd: monthlyUsd ?? usualMonthlyUsd,
          unattendedUsd,
          suggestedUnattendedUsd: unattendedUsd > 0 || chosen.success ? unattendedUsd : usualUnattendedUsd,
          chosen: chosen.success ? chosen.data : null,
        },
      }
    },
    async answer(by, { choice, level, monthlyUsd, unattendedUsd, proof }) {
      const wanted = choice === 'custom' ? level : levelOf[choice]
      if (wanted === undefined)
        throw new CountersignError('usage', 'The choice “custom” needs a level.', {
          next: `Give one of: ${Autonomy.options.join(', ')}.`,
        })
      const before = autonomy.current()
      const now = await limits(by.operator)
      const was = { ...now, level: before, monthlyUsd: now.monthlyUsd ?? Number.POSITIVE_INFINITY }
      const after = { level: wanted, monthlyUsd, unattendedUsd }
      const proven = isLooser(was, after)
      if (proven) await requireProof({ ...was, monthlyUsd: now.monthlyUsd ?? usualMonthlyUsd }, after, proof)
      await autonomy.set(wanted, (each) => parts.loadLevel(each, by.actor, proven))
      if (before !== wanted)
        await act(by.operator, {
          type: 'autonomy.changed',
          actor: by.actor,
          data: { before, after: wanted },
        })
      if (now.monthlyUsd !== monthlyUsd)
        await budgets.set(by.operator, SetBudget.parse({ scope: 'global', limitUsd: monthlyUsd }), by.actor)
      if (now.unattendedUsd !== unattendedUsd)
        await budgets.set(
          by.operator,
          SetBudget.parse({ scope: 'unattended', limitUsd: unattendedUsd }),
          by.actor,
        )
      return { done: true, notes: { choice } }
    },
  }
}

/** Enough for summaries, routing and memory by a small model. Nobody spends it before the operator has said so. */
const usualUnattendedUsd = 1

function cards({ safety }: SetupWords): SafetyCard[] {
  const { choices, levels, custom } = safety
  const at = (choice: Exclude<SafetyChoice, 'custom'>) => {
    const level = levelOf[choice]
    return { choice, level, title: choices[choice], about: levels[level], asks: asked[level] }
  }
  return [
    at('boundaries'),
    at('everything'),
    { choice: 'custom', level: null, title: choices.custom, about: custom, asks: null },
  ]
}
