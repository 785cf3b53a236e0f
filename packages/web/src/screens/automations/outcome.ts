/** Owns the words and the tone of what became of one time. */
import type { OccurrenceState } from '@countersign/contract'
import type { Tone } from '../../kit/index.ts'

export const outcomeWord: Readonly<Record<OccurrenceState, string>> = {
  queued: 'queued',
  running: 'running',
  parked: 'waiting for you',
  succeeded: 'done',
  failed: 'failed',
  stopped: 'stopped',
  missed: 'missed',
  skipped: 'left out',
  suppressed: 'held back',
}

export function outcomeTone(state: OccurrenceState): Tone {
  switch (state) {
    case 'succeeded':
      return 'ok'
    case 'failed':
    case 'missed':
      return 'bad'
    case 'parked':
      return 'waiting'
    default:
      return 'plain'
  }
}
