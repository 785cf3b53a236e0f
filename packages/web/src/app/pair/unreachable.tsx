/** Shown when no gateway answers and this browser knows none. */

import { CopyCommand } from '../../kit/command.tsx'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/pair.tsx'
import { Welcome, welcomeButton } from './welcome.tsx'

export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Welcome title={words.unreachable.title}>
      <p className="text-ink-2">{words.unreachable.text(error.message)}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <button type="button" className={welcomeButton} onClick={onRetry}>
          {common.tryAgain}
        </button>
        <CopyCommand text="countersign up" />
      </div>
    </Welcome>
  )
}
