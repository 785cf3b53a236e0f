/**
 * Owns what a program saw when it began: the time, the seed of its chance, and which secrets were kept. It is run again from its beginning with
 * each answer, and must see the same. Held in memory only: after a restart of the executor a program sees another time,
 * and ends if its calls came out differently.
 */
import { randomBytes } from 'node:crypto'

export interface StartValues {
  readonly now: number
  readonly seed: string
  readonly keys: readonly string[]
}

export interface StartValuesStore {
  /** A new one for the first step of a call, the same one for its later steps. */
  of(call: string, isFirst: boolean, keys?: readonly string[]): StartValues
}

const mostKept = 1_000

export function createBeginnings({ now }: { readonly now: () => Date }): StartValuesStore {
  const kept = new Map<string, StartValues>()
  return {
    of(call, isFirst, keys = []) {
      const known = isFirst ? undefined : kept.get(call)
      const beginning = known ?? { now: now().getTime(), seed: randomBytes(32).toString('hex'), keys }
      kept.delete(call)
      kept.set(call, beginning)
      for (const [oldest] of kept) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
      return beginning
    },
  }
}
