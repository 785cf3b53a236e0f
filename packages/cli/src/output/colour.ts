/** Owns colour in the terminal. Colour carries meaning only: tiers, and what went wrong; the word always stands beside it. */

export type Ink = 'plain' | 'quiet' | 'strong' | 'bad' | 'good' | 0 | 1 | 2 | 3 | 4

export type Paint = (ink: Ink, text: string) => string

const codes: Readonly<Record<Exclude<Ink, 'plain'>, string>> = {
  quiet: '2',
  strong: '1',
  bad: '31',
  good: '32',
  0: '90',
  1: '36',
  2: '33',
  3: '31',
  4: '35',
}

export const unpainted: Paint = (_ink, text) => text

export function painter(enabled: boolean): Paint {
  if (!enabled) return unpainted
  return (ink, text) => (ink === 'plain' || text === '' ? text : `\u001b[${codes[ink]}m${text}\u001b[0m`)
}
