/** The step with recipes: automations to start with, each with what it may do and the cost limit of one run. */
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
import { type SetupWords, setupWords } from './words/index.ts'

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

const recipeIds = Object.keys(setupWords.en.recipes) as readonly (keyof SetupWords['recipes'])[]

const ShippedRecipes = z.array(
  z.strictObject({
    id: z.enum(recipeIds),
    name: z.string(),
    when: z.string(),
    text: z.string().optional(),
    does: ScheduledWork.optional(),
    tierMax: Tier,
    maxCostUsd: z.number(),
  }),
)
const recipes = ShippedRecipes.parse(shipped)

export function recipesStep({ schedules, budgets }: RecipesStepParts): SetupStepHandler<'recipes'> {
  async function shown(words: SetupWords): Promise<Recipe[]> {
    const all = await schedules.list()
    return recipes.map(({ id, name, when, tierMax, maxCostUsd }) => {
      const made = all.find((schedule) => schedule.name === name)
      return {
        id,
        name,
        sentence: when,
        ...words.recipes[id],
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
    skippable: true,
    look: async (operator, _kept, words) => ({
      data: { recipes: await shown(words), unattendedUsd: await unattended(operator) },
    }),
    async answer({ operator, actor }, { recipes: wanted, unattendedUsd }) {
      const unknown = wanted.find(({ id }) => !recipes.some((recipe) => recipe.id === id))
      if (unknown)
        throw new CountersignError('not_found', `There is no recipe ${unknown.id}.`, {
          next: `Choose from: ${recipes.map(({ id }) => id).join(', ')}.`,
        })
      if (unattendedUsd !== undefined && unattendedUsd !== (await unattended(operator)))
        await budgets.set(operator, SetBudget.parse({ scope: 'unattended', limitUsd: unattendedUsd }), actor)
      const there = await shown(setupWords.en)
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
