/** Shows the arguments that a call is sealed with, each under its path. Only what the preview holds whole is folded. */

import { argumentLines, argumentsToRead, type Card, longestArgument } from '@countersign/contract'
import { Facts, Mono, Sheet } from '../kit/index.ts'
import { words } from '../words/approvals.tsx'

export function Arguments({ card }: { card: Pick<Card, 'args' | 'preview'> }) {
  const unread = new Set(argumentsToRead(card).map(({ path }) => path))
  const lines = argumentLines(card.args)
  if (lines.length === 0) return <p className="text-ink-2">{words.card.noArguments}</p>
  return (
    <Sheet>
      <Facts
        rows={lines.map(({ path, whole, isFolded }) => [
          path,
          <Mono
            key={path}
            block
            text={whole}
            {...(isFolded && !unread.has(path) ? { foldAfter: longestArgument } : {})}
          />,
        ])}
      />
    </Sheet>
  )
}
