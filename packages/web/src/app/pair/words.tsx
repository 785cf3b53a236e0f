/** Shows the six words to compare, and waits. */

import { CopyCommand } from '../../kit/command.tsx'
import { clockWords } from '../../language/format.ts'
import { words } from '../../words/pair.tsx'
import type { PairingRequest } from './request.ts'
import { Welcome, welcomeButton } from './welcome.tsx'

export function Words({
  asked,
  gateway,
  onStop,
}: {
  asked: PairingRequest
  gateway: string
  onStop: () => void
}) {
  return (
    <Welcome title={words.compare.title}>
      <p className="text-ink-2">
        {words.compare.text(
          <strong className="font-medium text-ink">{words.compare.devices}</strong>,
          asked.name,
        )}
      </p>
      <ol className="my-5 grid grid-cols-2 gap-px overflow-hidden rounded-2 border border-line bg-line sm:grid-cols-3">
        {asked.words.map((word, index) => (
          <li key={`${index} ${word}`} className="flex items-baseline gap-2 bg-sheet px-4 py-3">
            <span aria-hidden className="text-small text-ink-3">
              {index + 1}
            </span>
            <span className="font-mono text-large">{word}</span>
          </li>
        ))}
      </ol>
      <p className="text-ink-2">
        {words.compare.terminal(gateway)} <CopyCommand text="countersign device approve" />
      </p>
      <p role="status" className="mt-4 text-small text-ink-3">
        {words.compare.waiting(clockWords(new Date(asked.expiresAt)))}
      </p>
      <button type="button" className={`${welcomeButton} mt-4`} onClick={onStop}>
        {words.compare.stop}
      </button>
    </Welcome>
  )
}
