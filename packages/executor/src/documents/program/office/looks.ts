/**
 * Owns whether a reader sees words: what hides them, and which are as good as hidden. Whoever writes for the model alone
 * hides words from the person beside it.
 */

/** What is said of it by one place; nothing where that says nothing. */
export interface Look {
  readonly hidden?: boolean
  /** Six hexadecimal digits, or a word. */
  readonly color?: string
  readonly points?: number
  /** Something else than paper is behind it. */
  readonly backed?: boolean
}

export type Sight = 'seen' | 'faint' | 'hidden'

const smallest = 4

/** Of the looks that hold for words, the nearest first. */
export function sightOf(looks: readonly (Look | undefined)[]): Sight {
  const first = <Name extends keyof Look>(name: Name) =>
    looks.find((look) => look?.[name] !== undefined)?.[name]
  if (first('hidden') === true) return 'hidden'
  const points = first('points')
  if (points !== undefined && points < smallest) return 'faint'
  return isPaper(first('color')) && !looks.some((look) => look?.backed) ? 'faint' : 'seen'
}

/** White, or so near to it that on paper nobody tells them apart. */
export function isPaper(color: string | undefined): boolean {
  return color !== undefined && /^(?:#?(?:f[0-9a-f]){3}|background1|bg1|white)$/i.test(color)
}

/** What is behind words is something else than paper. */
export function isBacked(fill: string | undefined): boolean {
  return !/^(?:auto|none|transparent|)$/i.test(fill ?? '') && !isPaper(fill)
}

export const isOff = (value: string | undefined) => /^(?:0|false|off)$/i.test(value ?? '')
export const isOn = (value: string | undefined) => /^(?:1|true|on)$/i.test(value ?? '')
