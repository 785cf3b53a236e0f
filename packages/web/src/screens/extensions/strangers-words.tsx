/** Shows what somebody else wrote: behind a bar, said to be theirs, with a warning where it could mislead. */
import type { ReactNode } from 'react'
import { DisplayFlags, Safe, SafeBlock } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'

export function StrangersWords({
  name,
  text,
  children,
}: {
  /** Whose words they are. */
  name: string
  /** What is looked at for what could mislead, and shown where there are no children. */
  text: string
  children?: ReactNode
}) {
  return (
    <figure aria-label={words.strangersShort(name)} className="my-1">
      <figcaption className="text-small text-ink-3">
        <Safe text={words.strangers(name)} />
      </figcaption>
      <DisplayFlags texts={[text]} />
      <div className="mt-1 border-s-2 border-line-strong ps-3 text-ink-2">
        {children ?? <SafeBlock text={text} className="break-words" />}
      </div>
    </figure>
  )
}
