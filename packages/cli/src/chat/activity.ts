/** One line for one call: how it stands as glyph and word, the tool, what it does, the tier from T2 on, the outcome. */
import type { CallOutcome, Tier } from '@countersign/contract'
import type { Ink, Paint } from '../output/colour.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'

export interface Activity {
  readonly state: CallOutcome | 'waiting' | 'running'
  readonly tool: string
  readonly headline: string
  readonly tier: Tier | null
  readonly summary: string
  readonly undoable: boolean
}

const marks: Readonly<Record<Activity['state'], readonly [string, Ink]>> = {
  running: ['● running', 'plain'],
  waiting: ['⏸ waiting', 'strong'],
  ok: ['✓ done', 'plain'],
  failed: ['✗ failed', 'bad'],
  refused: ['✗ refused', 'bad'],
  denied: ['✗ denied', 'bad'],
  withdrawn: ['○ withdrawn', 'quiet'],
  invalid: ['✗ invalid', 'bad'],
  unknown: ['? unknown', 'bad'],
}

export function activityLine(activity: Activity, paint: Paint): string {
  const [mark, ink] = marks[activity.state]
  return [
    paint(ink, mark),
    line(activity.tool),
    line(activity.headline),
    ...(activity.tier !== null && activity.tier >= 2 ? [tierLabel(activity.tier, paint)] : []),
    ...(activity.summary === '' ? [] : [line(activity.summary)]),
    ...(activity.undoable ? ['can be undone'] : []),
  ].join('  ')
}
