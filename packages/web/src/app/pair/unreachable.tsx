/** Shown when no gateway answers and this browser knows none. */
import { Door, doorButton } from './door.tsx'

export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Door title="The gateway does not answer">
      <p className="text-ink-2">
        {error.message} Start it on the computer where it is installed, then try again.
      </p>
      <pre className="my-4 rounded-1 border border-line bg-well px-3 py-2">$ countersign up</pre>
      <button type="button" className={doorButton} onClick={onRetry}>
        Try again
      </button>
    </Door>
  )
}
