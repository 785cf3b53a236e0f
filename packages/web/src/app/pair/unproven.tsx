/** Shown when what answers did not prove to be the gateway that this browser knows, or that the link names. */
import { Door, doorButton } from './door.tsx'

export function Unproven({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Door title="This is not your gateway">
      <p className="text-ink-2">
        {error.message} Another program may have taken its place. Nothing was signed for it.
      </p>
      <p className="mt-4 text-ink-2">
        On the computer where the gateway runs, look whether it is up. If you set it up anew, let this browser
        in again with the address that the second command prints.
      </p>
      <pre className="my-4 rounded-1 border border-line bg-well px-3 py-2">
        $ countersign doctor{'\n'}$ countersign open
      </pre>
      <button type="button" className={doorButton} onClick={onRetry}>
        Try again
      </button>
    </Door>
  )
}
