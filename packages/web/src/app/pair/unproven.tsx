/** Shown when what answers did not prove to be the gateway that this browser knows, or that the link names. */

import { CopyCommand } from '../../kit/command.tsx'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/pair.tsx'
import { Welcome, welcomeButton } from './welcome.tsx'

export function Unproven({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Welcome title={words.unproven.title}>
      <p className="text-ink-2">{words.unproven.text(error.message)}</p>
      <p className="mt-4 text-ink-2">{words.unproven.next}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <button type="button" className={welcomeButton} onClick={onRetry}>
          {common.tryAgain}
        </button>
        <CopyCommand text="countersign open" />
      </div>
    </Welcome>
  )
}
