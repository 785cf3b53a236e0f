/** What setup came to: what it may do, what it may spend, what was added, and three things to say next. */
import type { Onboarding, SetupStep, SetupStepId, SetupStepOf } from '@countersign/contract'
import { Button, Money, Safe, Section, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useSay } from '../today/say.ts'

export function EndSummary({ view }: { view: Onboarding }) {
  const { say, busy } = useSay()
  const safety = stepOf(view.steps, 'safety')?.data
  const recipes = stepOf(view.steps, 'recipes')?.data
  const level = safety?.levels.find((each) => each.level === safety.level)
  return (
    <div className="mt-4 grid max-w-[60rem] gap-x-8 md:grid-cols-2">
      {safety === undefined ? null : (
        <>
          <Section title={words.finished.may}>
            <p>{level?.about ?? safety.level}</p>
          </Section>
          <Section title={words.finished.spend}>
            <p>
              {words.finished.spendAbout(
                <Money usd={safety.monthlyUsd} />,
                <Money usd={recipes?.unattendedUsd ?? safety.unattendedUsd} />,
              )}
            </p>
          </Section>
        </>
      )}
      <Section title={words.finished.added}>
        <Added recipes={recipes?.recipes ?? []} />
      </Section>
      <Section title={words.finished.say}>
        <ul className="space-y-1">
          {words.finished.examples.map((example) => (
            <li key={example}>
              <Button busy={busy} onClick={() => say(example)}>
                {example}
              </Button>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

function Added({ recipes }: { recipes: SetupStepOf<'recipes'>['data']['recipes'] }) {
  const added = recipes.filter((recipe) => recipe.added !== null)
  if (added.length === 0) return <p className="text-ink-2">{words.finished.nothingAdded}</p>
  return (
    <Sheet>
      <ul className="space-y-1">
        {added.map((recipe) => (
          <li key={recipe.id}>
            <Safe text={recipe.name} />
            <span className="ms-2 text-small text-ink-2">
              {recipe.added?.status === 'paused' ? words.finished.addedPaused : recipe.sentence}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function stepOf<Id extends SetupStepId>(steps: readonly SetupStep[], id: Id): SetupStepOf<Id> | undefined {
  return steps.find((step): step is SetupStepOf<Id> => step.id === id)
}
