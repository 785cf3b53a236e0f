/** Draws the lines of a comparison. Its texts are safe to show already. */

import { structuredPatch } from 'diff'
import { words } from '../words/common.ts'
import { classes } from './classes.ts'
import type { DiffProps } from './diff.tsx'

export default function DiffLines({ before, after, label, whole = false }: DiffProps) {
  const { hunks } = structuredPatch('', '', before, after, '', '', {
    context: whole ? Number.MAX_SAFE_INTEGER : 3,
  })
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith('\\'))
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  if (hunks.length === 0) return <p className="px-4 py-2 text-small text-ink-2">{words.diff.none(label)}</p>
  return (
    <figure aria-label={words.diff.label(label)}>
      <figcaption className="px-4 pt-2 text-small text-ink-2">
        {words.diff.counts(removed, added)}
        {words.diff.from(hunks[0]?.newStart ?? 1)}
      </figcaption>
      <pre dir="ltr" tabIndex={0} className="overflow-x-auto py-2 leading-[1.65] whitespace-pre-wrap">
        {hunks.map((hunk) => (
          <div key={hunk.newStart} className="border-line [&+&]:mt-2 [&+&]:border-t [&+&]:pt-2">
            {hunk.lines
              .filter((line) => !line.startsWith('\\'))
              .map((line, index) => (
                <div
                  // Lines of one hunk never move.
                  key={index}
                  className={classes(
                    'px-4',
                    line.startsWith('+') && 'bg-add',
                    line.startsWith('-') && 'bg-del',
                  )}
                >
                  {line.slice(0, 1)} {line.slice(1)}
                </div>
              ))}
          </div>
        ))}
      </pre>
    </figure>
  )
}
