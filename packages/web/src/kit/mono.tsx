/**
 * Shows text that came from outside, exactly and safely: what would hide or reorder other text is a visible escape.
 * Nothing is cut for good: a long text says how long it is and shows all of itself on request.
 */

import { type DisplayFlag, forDisplay, mergeFlags } from '@countersign/contract'
import { useState } from 'react'
import { sizeWords } from '../language/format.ts'
import { listWords } from '../language/plural.ts'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

/** One line of text from outside, in the type of the interface. */
export function Safe({ text, className }: { text: string; className?: string | undefined }) {
  const shown = forDisplay(text)
  return (
    <span className={classes('normal-nums', className)}>
      <bdi>{shown.text}</bdi>
    </span>
  )
}

/** Several lines of text from outside, in the type of the interface. */
export function SafeBlock({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div dir="auto" className={classes('whitespace-pre-wrap normal-nums', className)}>
      {forDisplay(text, { multiline: true }).text}
    </div>
  )
}

export interface MonoProps {
  readonly text: string
  readonly className?: string | undefined
  /** A block of lines; without it, a piece of a sentence. */
  readonly block?: boolean
  /** A block longer than this many characters begins folded. Never on an approval's own call. */
  readonly foldAfter?: number
}

/** Exact bytes: calls, paths, hosts, arguments. */
export function Mono({ text, className, block = false, foldAfter = Number.POSITIVE_INFINITY }: MonoProps) {
  const [open, setOpen] = useState(false)
  if (!block)
    return (
      <code dir="ltr" className={classes('rounded-[4px] bg-well px-1 py-px', className)}>
        {forDisplay(text).text}
      </code>
    )
  const shown = forDisplay(text, { multiline: true })
  const folded = !open && shown.text.length > foldAfter
  return (
    <div className={className}>
      <pre dir="ltr" tabIndex={0} className="max-w-full overflow-x-auto whitespace-pre-wrap leading-[1.6]">
        {folded ? `${shown.text.slice(0, foldAfter)}` : shown.text}
      </pre>
      {folded ? (
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          {words.showAll(sizeWords(new TextEncoder().encode(shown.text).length))}
        </Button>
      ) : null}
    </div>
  )
}

/** The warning for text that holds what could mislead. Shows nothing for plain text. */
export function DisplayFlags({ texts, multiline = true }: { texts: readonly string[]; multiline?: boolean }) {
  return <Flags flags={mergeFlags(...texts.map((text) => forDisplay(text, { multiline }).flags))} />
}

/** The same for flags that were raised elsewhere. */
export function Flags({ flags }: { flags: readonly DisplayFlag[] }) {
  const shown = flags.filter((flag) => flag !== 'long')
  if (shown.length === 0) return null
  return (
    <p className="text-small font-medium text-t3">
      {words.flags.warning(listWords(shown.map((flag) => words.flags.kinds[flag])))}
    </p>
  )
}
