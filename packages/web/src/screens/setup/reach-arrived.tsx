/** Asks whether a test arrived: only whoever looks at the phone knows. */
import { Button } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'

export function Arrived({
  isAsked,
  note,
  busy,
  onYes,
  onAgain,
}: {
  /** False where it is known that it did not. */
  isAsked: boolean
  note: string | null
  busy: boolean
  onYes: () => void
  onAgain: () => void
}) {
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p role="status" className="font-medium">
        {isAsked ? words.reach.didItArrive : ''}
      </p>
      {note === null ? null : <p className="text-small text-ink-2">{note}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button busy={busy} onClick={onAgain}>
          {words.reach.again}
        </Button>
        {isAsked ? (
          <Button variant="go" busy={busy} onClick={onYes}>
            {words.reach.yes}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
