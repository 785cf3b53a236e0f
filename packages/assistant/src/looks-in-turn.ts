/** Owns how looks at servers follow each other: one at a time for each place, and few at once. */

/** So many looks at once leave the executor for everything else. */
const mostAtOnce = 3

export interface LooksInTurn<Taken> {
  isUnderWay(id: string): boolean
  /** Whoever comes meanwhile waits for it and then has one of their own. */
  look(id: string): Promise<Taken>
  all(ids: readonly string[]): Promise<void>
  settled(): Promise<unknown>
}

export function createLooksInTurn<Taken>(
  look: (id: string) => Promise<Taken>,
  onProblem: (problem: unknown) => void,
): LooksInTurn<Taken> {
  const underWay = new Map<string, Promise<Taken>>()

  async function lookInTurn(id: string): Promise<Taken> {
    const before = Promise.resolve(underWay.get(id)).catch(() => undefined)
    const work = before.then(() => look(id))
    underWay.set(id, work)
    return work.finally(() => underWay.get(id) === work && underWay.delete(id))
  }

  return {
    isUnderWay: (id) => underWay.has(id),
    look: lookInTurn,
    async all(ids) {
      const left = [...ids]
      const worker = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          await lookInTurn(next).catch(onProblem)
      }
      await Promise.all(Array.from({ length: Math.min(mostAtOnce, left.length) }, worker))
    },
    settled: () => Promise.allSettled(underWay.values()),
  }
}
