/** Owns the shelf of recipes: automations to begin with, each with what it may do and the most that one time may cost. */
import {
  type AddSchedule,
  CountersignError,
  type OperatorId,
  type Recipe,
  type ScheduleChanged,
  ScheduledWork,
  type ScheduleView,
  SetBudget,
  Tier,
} from '@countersign/contract'
import type { Actor, Kernel } from '@countersign/kernel'
import { z } from 'zod'
import shipped from './recipes.json' with { type: 'json' }
import type { SetupStepHandler } from './setup-step.ts'

export interface RecipesStepParts {
  readonly schedules: {
    list(): Promise<readonly ScheduleView[]>
    add(added: AddSchedule, actor: Actor): Promise<ScheduleChanged>
    change(
      id: string,
      change: { readonly status: 'active' | 'paused' },
      actor: Actor,
    ): Promise<ScheduleChanged>
  }
  readonly budgets: Pick<Kernel['budgets'], 'list' | 'set'>
}

const ShippedRecipes = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    when: z.string(),
    text: z.string().optional(),
    does: ScheduledWork.optional(),
    about: z.string(),
    may: z.string(),
    tierMax: Tier,
    maxCostUsd: z.number(),
  }),
)
const recipes = ShippedRecipes.parse(shipped)

export function recipesStep({ schedules, budgets }: RecipesStepParts): SetupStepHandler<'recipes'> {
  async function shown(): Promise<Recipe[]> {
    const all = await schedules.list()
    return recipes.map(({ id, name, when, about, may, tierMax, maxCostUsd }) => {
      const made = all.find((schedule) => schedule.name === name)
      return {
        id,
        name,
        sentence: when,
        about,
        may,
        tierMax,
        maxCostUsd,
        added: made ? { id: made.id, status: made.status } : null,
      }
    })
  }

  async function unattended(operator: OperatorId): Promise<number> {
    const all = await budgets.list(operator)
    return all.find(({ name, hard }) => name === 'unattended:month' && hard)?.limitUsd ?? 0
  }

  return {
    title: 'Shelf',
    about: 'Small automations to begin with. Take none, one or several.',
    skippable: true,
    look: async (operator) => ({
      data: { recipes: await shown(), unattendedUsd: await unattended(operator) },
    }),
    async answer({ operator, actor }, { recipes: wanted, unattendedUsd }) {
      const unknown = wanted.find(({ id }) => !recipes.some((recipe) => recipe.id === id))
      if (unknown)
        throw new CountersignError('not_found', `There is no recipe ${unknown.id}.`, {
          next: `There are: ${recipes.map(({ id }) => id).join(', ')}.`,
        })
      if (unattendedUsd !== undefined && unattendedUsd !== (await unattended(operator)))
        await budgets.set(operator, SetBudget.parse({ scope: 'unattended', limitUsd: unattendedUsd }), actor)
      const there = await shown()
      for (const { id, status } of wanted) {
        const recipe = recipes.find((each) => each.id === id)
        if (!recipe) continue
        const before = there.find((each) => each.id === id)?.added
        const made = before ?? (await schedules.add(addedOf(recipe), actor)).schedule
        if (made.status !== status) await schedules.change(made.id, { status }, actor)
      }
      return { done: true }
    },
  }
}

function addedOf({
  name,
  when,
  text,
  does,
  tierMax,
  maxCostUsd,
}: z.infer<typeof ShippedRecipes>[number]): AddSchedule {
  return {
    name,
    sentence: when,
    does: does ?? { kind: 'prompt', text: text ?? name },
    tierMax,
    maxCostUsd,
  }
}
