/** Owns the colour that the word for a run has. */
import type { RunWord } from '@countersign/contract'
import type { Tone } from '../kit/index.ts'

const tones: Readonly<Record<RunWord, Tone>> = {
  queued: 'plain',
  running: 'act',
  'waiting for you': 'waiting',
  'waiting for the provider': 'waiting',
  blocked: 'waiting',
  done: 'ok',
  'done with problems': 'bad',
  failed: 'bad',
  'stopped by you': 'plain',
  'over budget': 'bad',
}

export const runTone = (word: RunWord): Tone => tones[word]
