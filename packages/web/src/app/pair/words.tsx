/** Shows the six words to compare, and waits. */
import { Door, doorButton } from './door.tsx'
import type { Asked } from './request.ts'

export function Words({ asked, gateway, onStop }: { asked: Asked; gateway: string; onStop: () => void }) {
  return (
    <Door title="Compare six words">
      <p className="text-ink-2">
        On a device that is in already, open <strong className="font-medium text-ink">Devices</strong> and
        look for “{asked.name}”. Let it in only if it shows these words, in this order.
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
      <p className="text-ink-2">In a terminal of {gateway} the same is done by:</p>
      <pre className="my-2 rounded-1 border border-line bg-well px-3 py-2">$ countersign device approve</pre>
      <p role="status" className="mt-4 text-small text-ink-3">
        Waiting. The words hold until{' '}
        {new Date(asked.expiresAt).toLocaleTimeString(undefined, { timeStyle: 'short' })}.
      </p>
      <button type="button" className={`${doorButton} mt-4`} onClick={onStop}>
        Stop
      </button>
    </Door>
  )
}
