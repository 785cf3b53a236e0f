/** Four notes beside the first card: how to read it. They come before the card, in the order of reading. */
import { useState } from 'react'
import { Button } from '../../kit/index.ts'

const marks: readonly (readonly [title: string, text: string])[] = [
  ['What', 'Exactly what will run, to the last byte. What you approve is what runs.'],
  ['Why asked', 'The rule that stopped here, by file and line, and what raised it.'],
  ['Effects', 'What it can change, what leaves this computer, and whether it can be undone.'],
  ['Choices', 'Deny says no and tells the agent why. Approve once allows this one call and nothing more.'],
]

export function CoachMarks() {
  const [shown, setShown] = useState(true)
  if (!shown) return null
  return (
    <aside aria-labelledby="coach" className="mb-4 rounded-2 border border-act bg-act-soft px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <h3 id="coach" className="text-base text-ink">
          Your first card, and how to read it
        </h3>
        <Button look="quiet" size="small" onClick={() => setShown(false)}>
          Got it
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
