/** Owns the tone of what became of one time. */
import type { OccurrenceState } from '@countersign/contract'
import type { Tone } from '../../kit/index.ts'

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

/** The same among dots, which have no tone for what a person started. */
export function dotTone(state: OccurrenceState): Exclude<Tone, 'act'> {
  const tone = outcomeTone(state)
  return tone === 'act' ? 'plain' : tone
}
