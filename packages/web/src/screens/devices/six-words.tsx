/** The six words of a request, in their order, to be compared with another screen. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Loaded, Skeleton } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'

export function SixWords({ six }: { six: UseQueryResult<readonly string[]> }) {
  return (
    <Loaded query={six} skeleton={<Skeleton rows={2} className="my-4" />} className="my-4">
      {(shown) => (
        <ol
          aria-label={words.request.words}
          className="my-4 grid grid-cols-2 gap-px overflow-hidden rounded-2 border border-line bg-line sm:grid-cols-3 xl:grid-cols-6"
        >
          {shown.map((word, place) => (
            <li key={`${place} ${word}`} className="flex items-baseline gap-2 bg-paper px-4 py-2.5">
              <span aria-hidden className="text-small text-ink-3">
                {place + 1}
              </span>
              <span className="font-mono text-large">{word}</span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
