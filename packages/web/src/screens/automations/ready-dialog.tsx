/** Automations that come with the product, offered at any time, each with what it may do and cost. */
import type { Recipe } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { Plus } from 'lucide-react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { Button, ButtonLink, Dialog, Loaded, Money, Safe, Sheet, TierChip, useAct } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { ownZone } from './trigger-form.ts'

const key = ['schedules', 'recipes']

export function ReadyDialog({ onClose }: { onClose: () => void }) {
  const recipes = useGateway(key, recipesOf)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={words.ready.title}
      description={words.ready.description}
    >
      <Loaded query={recipes}>
        {(all) => (
          <ul className="grid gap-3 lg:grid-cols-2">
            {all.map((recipe) => (
              <li key={recipe.id}>
                <RecipeCard recipe={recipe} onClose={onClose} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

function RecipeCard({ recipe, onClose }: { recipe: Recipe; onClose: () => void }) {
  const route = useRoute()
  const { isBusy, act } = useAct([['schedules']])
  const add = async () => {
    const done = await act((client) => added(client, recipe.id), words.ready.said(recipe.name))
    if (done) onClose()
  }
  return (
    <Sheet className="flex h-full flex-col">
      <p className="flex items-baseline justify-between gap-3">
        <Safe text={recipe.name} className="font-medium" />
        <span className="text-small text-ink-3">
          <Safe text={recipe.sentence} />
        </span>
      </p>
      <p className="mt-1 text-ink-2">{recipe.about}</p>
      <p className="mt-1 text-small text-ink-2">{recipe.may}</p>
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-2.5 text-small text-ink-3">
        <TierChip tier={recipe.tierMax} />
        <span className="min-w-0 flex-1">{words.ready.atMost(<Money usd={recipe.maxCostUsd} />)}</span>
        {recipe.added === null ? (
          <Button
            size="small"
            icon={Plus}
            busy={isBusy}
            aria-label={words.ready.addNamed(recipe.name)}
            onClick={() => void add()}
          >
            {words.ready.add}
          </Button>
        ) : (
          <>
            <span className="text-ok">{words.ready.added}</span>
            <ButtonLink to={route.href([recipe.added.id])} variant="quiet">
              {words.ready.open}
            </ButtonLink>
          </>
        )}
      </div>
    </Sheet>
  )
}

async function recipesOf(client: Client): Promise<readonly Recipe[]> {
  const { steps } = await client.onboarding()
  return steps.flatMap((step) => (step.id === 'recipes' ? step.data.recipes : []))
}

/** Its times are those of the person who adds it, wherever the gateway stands. */
async function added(client: Client, id: string): Promise<void> {
  await client.setUp('recipes', { recipes: [{ id, status: 'active' }] })
  const made = (await recipesOf(client)).find((recipe) => recipe.id === id)?.added
  if (!made) return
  const { trigger } = await client.schedule(made.id)
  const zone = ownZone()
  if (trigger.kind === 'cron' && trigger.zone !== zone)
    await client.changeSchedule(made.id, { trigger: { ...trigger, zone } })
}
