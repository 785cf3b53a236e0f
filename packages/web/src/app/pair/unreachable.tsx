/** Shown when no gateway answers and this browser knows none. */

import { words as common } from '../../words/common.ts'
import { words } from '../../words/pair.tsx'
import { Welcome, welcomeButton } from './welcome.tsx'

export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Welcome title={words.unreachable.title}>
      <p className="text-ink-2">{words.unreachable.text(error.message)}</p>
      <pre className="my-4 rounded-1 border border-line bg-well px-3 py-2">$ countersign up</pre>
      <button type="button" className={welcomeButton} onClick={onRetry}>
        {common.tryAgain}
      </button>
    </Welcome>
  )
}
