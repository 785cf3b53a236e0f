/** The Setup screen: the first run as one page, a step at a time. The step is in the address, so it can be left and found again. */

import { SetupStepId } from '@countersign/contract'
import { useEffect } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Link, Loaded, Skeleton, Stamp, useDocumentTitle } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { Finished } from './finished.tsx'
import { onboardingKey } from './flow.ts'
import { StepPanel } from './step-panel.tsx'
import { Stepper } from './stepper.tsx'

export const screen: Screen = { component: SetupScreen }

/** What changes without an event that tells of it: the action that is under way, and a server that was just started. */
const lookEveryMs = 2_000

function SetupScreen() {
  useDocumentTitle(words.title)
  const route = useRoute()
  const query = useGateway(onboardingKey, (client) => client.onboarding(), { everyMs: lookEveryMs })
  const asked = route.parts[0]
  const step = SetupStepId.safeParse(asked)
  const first = query.data?.next
  const { go, href } = route
  useEffect(() => {
    if (asked === undefined && first !== undefined) go(href([first ?? 'done']), { replace: true })
  }, [asked, first, go, href])
  return (
    <div className="min-h-dvh bg-paper [--thumb-bar:0px] max-md:flex max-md:flex-col md:grid md:grid-cols-[19rem_minmax(0,1fr)]">
      <header className="border-line px-4 pt-4 pb-3 max-md:border-b md:sticky md:top-0 md:h-dvh md:overflow-y-auto md:border-e md:px-6 md:pt-8">
        <p className="flex items-center gap-2 font-bold">
          <Stamp size={20} />
          Countersign
        </p>
        <h1 className="mt-4 max-md:sr-only">{words.title}</h1>
        {query.data === undefined ? null : (
          <Stepper view={query.data} current={step.success ? step.data : null} />
        )}
        {query.data?.next === null ? null : <Leaving />}
      </header>
      <main className="min-w-0 max-md:flex max-md:flex-1 max-md:flex-col">
        <Loaded query={query} skeleton={<Skeleton className="p-8" />} className="p-8">
          {(view) =>
            asked === 'done' || (asked !== undefined && !step.success) ? (
              <Finished view={view} />
            ) : step.success ? (
              <StepPanel key={step.data} view={view} id={step.data} />
            ) : null
          }
        </Loaded>
      </main>
    </div>
  )
}

function Leaving() {
  return (
    <p className="mt-5 text-small text-ink-3 max-md:mt-2">
      <Link to="/">{words.leave}</Link>
      <span className="max-md:hidden">{words.comeBack}</span>
    </p>
  )
}
