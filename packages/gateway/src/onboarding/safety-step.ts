/** Owns how much is asked and how much may be spent: one question, three cards, and two limits of money. */
import {
  Autonomy,
  SafetyChoice as ChoiceShape,
  CountersignError,
  type SafetyCard,
  type SafetyChoice,
  SetBudget,
} from '@countersign/contract'
import type { EntryDraft, Kernel } from '@countersign/kernel'
import { z } from 'zod'
import type { AutonomyAdmin } from '../autonomy.ts'
import week from './reference-week.json' with { type: 'json' }
import type { StepRoom } from './step.ts'

export interface SafetyParts {
  readonly autonomy: AutonomyAdmin
  readonly budgets: Pick<Kernel['budgets'], 'list' | 'set'>
  readonly act: (operator: Parameters<Kernel['act']>[0], entry: EntryDraft) => Promise<number>
}

export const usualMonthlyUsd = 10

const { calls, asked } = z
  .object({ calls: z.int(), asked: z.record(Autonomy, z.int().nullable()) })
  .parse(week)

const levelOf: Readonly<Record<Exclude<SafetyChoice, 'custom'>, Autonomy>> = {
  boundaries: 'medium',
  everything: 'none',
}

const levelWords: Readonly<Record<Autonomy, string>> = {
  none: 'It asks before every act, looking included.',
  low: 'It looks freely inside what you gave it, and asks before it changes anything.',
  medium: 'It looks and makes changes that can be undone. It asks before anything leaves your computer.',
  high: 'It also reads the web freely. It asks before what others see or what is hard to undo.',
  full: 'As high by its rules. What others see still needs the seal of your device, so it asks for that.',
}

export function safetyStep({ autonomy, budgets, act }: SafetyParts): StepRoom<'safety'> {
  async function limits(operator: Parameters<Kernel['act']>[0]) {
    const all = await budgets.list(operator)
    const find = (name: string) => all.find((budget) => budget.name === name && budget.hard)?.limitUsd
    return { monthlyUsd: find('global:month'), unattendedUsd: find('unattended:month') ?? 0 }
  }

  return {
    title: 'Safety',
    about: 'When it asks you, and what a month may cost at most.',
    skippable: false,
    async look(operator, { notes }) {
      const { monthlyUsd, unattendedUsd } = await limits(operator)
      const chosen = ChoiceShape.safeParse(notes['choice'])
      return {
        data: {
          cards: cards(),
          levels: Autonomy.options.map((level) => ({ level, about: levelWords[level], asks: asked[level] })),
          calls,
          level: autonomy.current(),
          fixed: autonomy.fixed(),
          monthlyUsd: monthlyUsd ?? usualMonthlyUsd,
          unattendedUsd,
          chosen: chosen.success ? chosen.data : null,
        },
      }
    },
    async answer(by, { choice, level, monthlyUsd, unattendedUsd }) {
      const wanted = choice === 'custom' ? level : levelOf[choice]
      if (wanted === undefined)
        throw new CountersignError('usage', 'With your own choice a level is needed.', {
          next: `Give one of: ${Autonomy.options.join(', ')}.`,
        })
      const before = autonomy.current()
      await autonomy.set(wanted)
      if (before !== wanted)
        await act(by.operator, {
          type: 'autonomy.changed',
          actor: by.actor,
          data: { before, after: wanted },
        })
      const now = await limits(by.operator)
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

function cards(): SafetyCard[] {
  return [
    {
      choice: 'boundaries',
      level: 'medium',
      title: 'Ask me at boundaries',
      about: levelWords.medium,
      asks: asked.medium,
    },
    {
      choice: 'everything',
      level: 'none',
      title: 'Ask me for everything',
      about: levelWords.none,
      asks: asked.none,
    },
    {
      choice: 'custom',
      level: null,
      title: 'I choose the level',
      about: 'One of five levels, from every act to almost none.',
      asks: null,
    },
  ]
}
