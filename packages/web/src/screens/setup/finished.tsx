/** After the last step: what is set up, what was left out, and where to go. */

import type { Onboarding } from '@countersign/contract'
import { useEffect, useRef } from 'react'
import { useRoute } from '../../environment/route.ts'
import { ButtonLink, Link, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { EndSummary } from './end-summary.tsx'

export function Finished({ view }: { view: Onboarding }) {
  const { href } = useRoute()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const open = view.steps.filter(({ state }) => state !== 'done')
  return (
    <div className="px-4 pt-6 pb-10 md:px-6 md:pt-12 lg:px-8">
      <div className="max-w-[60rem]">
        <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
          {view.next === null ? words.finished.done : words.finished.notDone}
        </h2>
        <p className="mt-1 max-w-prose text-ink-2">
          {view.next === null ? words.finished.doneAbout : words.finished.notDoneAbout}
        </p>
        <EndSummary view={view} />
        {open.length === 0 ? null : (
          <Sheet className="mt-6 max-w-prose">
            <h3>{words.finished.left}</h3>
            <ul className="mt-1 space-y-1">
              {open.map(({ id, title, about }) => (
                <li key={id}>
                  <Link to={href([id])}>{title}</Link>
                  <span className="block text-small text-ink-2">{about}</span>
                </li>
              ))}
            </ul>
          </Sheet>
        )}
        <div className="mt-6 flex flex-wrap gap-2">
          <ButtonLink to="/chat" variant="go">
            {words.finished.chat}
          </ButtonLink>
          <ButtonLink to="/">{words.finished.today}</ButtonLink>
        </div>
      </div>
    </div>
  )
}
