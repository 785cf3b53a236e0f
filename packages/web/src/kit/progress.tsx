/** Shows how far something is that takes a while, with a way to stop it. */
import { Square } from 'lucide-react'
import { percentWords } from '../language/format.ts'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import { Safe } from './mono.tsx'

export function Progress({ label, share, onStop }: { label: string; share: number; onStop: () => void }) {
  const percent = Math.round(share * 100)
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3 text-small">
          <span className="min-w-0 truncate text-ink-2">
            <Safe text={label} />
          </span>
          <span className="whitespace-nowrap">{percentWords(share)}</span>
        </div>
        <div
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="mt-1 h-1.5 overflow-hidden rounded-full bg-line forced-colors:border"
        >
          <div
            className="h-full rounded-full bg-act forced-colors:bg-[Highlight]"
            style={{ inlineSize: `${percent}%` }}
          />
        </div>
      </div>
      <Button size="small" icon={Square} onClick={onStop}>
        {words.stop}
      </Button>
    </div>
  )
}
