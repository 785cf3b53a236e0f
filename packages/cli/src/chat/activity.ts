/** One line for one call: how it stands, what was done, the tier from a boundary on, and whether it can be undone. */
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
  ok: ['✓', 'good'],
  failed: ['✗ failed', 'bad'],
  refused: ['✗ refused', 'bad'],
  denied: ['✗ denied', 'bad'],
  withdrawn: ['○ withdrawn', 'quiet'],
  held: ['○ held', 'quiet'],
  invalid: ['✗ not done', 'bad'],
  unknown: ['? outcome unknown', 'bad'],
}

/** What was done is told once: by what came of it, or else by what was asked for. */
export function activityLine(activity: Activity, paint: Paint): string {
  const { state, tool, headline, tier, summary, undoable } = activity
  const [mark, ink] = marks[state]
  const asked = line(headline === '' ? tool : headline)
  const words =
    state === 'ok' && summary !== '' ? [line(summary)] : [asked, ...(summary === '' ? [] : [line(summary)])]
  return [
    `${paint(ink, mark)} ${words.join(': ')}`,
    ...(tier !== null && tier >= 2 ? [tierLabel(tier, paint)] : []),
    ...(undoable ? [paint('quiet', 'undo')] : []),
  ].join('  ')
}
