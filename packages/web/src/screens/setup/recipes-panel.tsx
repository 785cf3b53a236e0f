/** The last step: small automations to begin with, each with what it may do and the most that one time may cost. */

import type { Onboarding, Recipe } from '@countersign/contract'
import { useState } from 'react'
import { Checkbox, Money, Sheet, TextField, TierChip } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { StepFrame } from './step-frame.tsx'

export function RecipesPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'recipes')
  const { recipes, unattendedUsd } = flow.step.data
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const [limit, setLimit] = useState(String(unattendedUsd))
  const allowed = Number(limit)
  const isGood = limit.trim() !== '' && Number.isFinite(allowed) && allowed >= 0
  const add = () =>
    flow.answer({
      // Without money for them they would only pile up missed times.
      recipes: [...taken].map((id) => ({
        id,
        status: allowed > 0 ? ('active' as const) : ('paused' as const),
      })),
      ...(allowed === unattendedUsd ? {} : { unattendedUsd: allowed }),
    })
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={isGood ? add : null}
      continueLabel={taken.size === 0 ? words.recipes.finish : words.recipes.add(taken.size)}
    >
      <ul className="grid gap-3 lg:grid-cols-2">
        {recipes.map((recipe) => (
          <li key={recipe.id}>
            <RecipeCard
              recipe={recipe}
              taken={taken.has(recipe.id)}
              onTake={(on) => {
                const next = new Set(taken)
                if (on) next.add(recipe.id)
                else next.delete(recipe.id)
                setTaken(next)
              }}
            />
          </li>
        ))}
      </ul>
      {taken.size === 0 ? null : (
        <Sheet className="mt-5 grid max-w-2xl gap-x-5 gap-y-2 sm:grid-cols-[1fr_8rem] sm:items-end">
          <p className="text-ink-2 sm:pb-2">{words.recipes.about}</p>
          <TextField
            label={words.safety.perMonth}
            inputMode="decimal"
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
            {...(isGood ? {} : { problem: words.recipes.number })}
          />
        </Sheet>
      )}
    </StepFrame>
  )
}

function RecipeCard({
  recipe,
  taken,
  onTake,
}: {
  recipe: Recipe
  taken: boolean
  onTake: (taken: boolean) => void
}) {
  return (
    <Sheet className="h-full has-checked:border-act has-checked:bg-act-soft">
      <div className="flex items-start justify-between gap-3">
        {recipe.added === null ? (
          <Checkbox
            label={<span className="font-medium">{recipe.name}</span>}
            checked={taken}
            onChange={onTake}
          />
        ) : (
          <p className="font-medium">
            {recipe.name}{' '}
            <span className="text-small text-ok">{words.recipes.status[recipe.added.status]}</span>
          </p>
        )}
        <span className="shrink-0 text-small text-ink-3">{recipe.sentence}</span>
      </div>
      <p className="mt-1 text-ink-2">{recipe.about}</p>
      <p className="mt-2 text-small text-ink-2">{recipe.may}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2 text-small text-ink-3">
        <span>{words.recipes.upTo}</span>
        <TierChip tier={recipe.tierMax} />
        <span>{words.recipes.atMost(<Money usd={recipe.maxCostUsd} />)}</span>
      </p>
    </Sheet>
  )
}
