/** Four notes beside the first card: how to read it. They come before the card, in the order of reading. */

import { useState } from 'react'
import { Button } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'

const { what, why, effects, choices } = words.coach.marks
const marks = [what, effects, why, choices]

export function CoachMarks() {
  const [shown, setShown] = useState(true)
  if (!shown) return null
  return (
    <aside aria-labelledby="coach" className="mb-4 rounded-2 border border-act bg-act-soft px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <h3 id="coach" className="text-base text-ink">
          {words.coach.title}
        </h3>
        <Button variant="quiet" size="small" onClick={() => setShown(false)}>
          {words.coach.gotIt}
        </Button>
      </div>
      <ol className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {marks.map(([title, text], place) => (
          <li key={title} className="flex gap-2.5">
            <span
              aria-hidden
              className="mt-px grid size-5 shrink-0 place-items-center rounded-full bg-act text-small leading-none text-act-ink"
            >
              {place + 1}
            </span>
            <span>
              <span className="font-medium">{title}.</span> <span className="text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </aside>
  )
}
