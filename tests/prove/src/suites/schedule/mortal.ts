/** Records of a process that can be killed: inside a transaction, which then leaves nothing, or right after it. */
import type { RecordTransactions } from '@countersign/kernel'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

export class KilledProcess extends Error {}

export interface Mortal {
  readonly records: RecordTransactions
  readonly isDead: () => boolean
  /** Dies at the so manieth transaction from now. */
  doom(after: number): void
}

export function mortalRecords(records: RecordTransactions, random: Random): Mortal {
  let left = Number.POSITIVE_INFINITY
  let dead = false

  const die = (): never => {
    dead = true
    throw new KilledProcess('the process was killed')
  }
  const last = () => {
    if (dead) throw new KilledProcess('the process is dead')
    left -= 1
    return left <= 0
  }
  const reading =
    (read: RecordTransactions['read']): RecordTransactions['read'] =>
    (operator, work) =>
      last() ? Promise.reject(new KilledProcess('killed')).finally(() => (dead = true)) : read(operator, work)
  return {
    records: {
      ...records,
      read: reading(records.read),
      single: reading(records.single),
      async change(operator, work) {
        if (!last()) return records.change(operator, work)
        const isInside = random.below(2) === 0
        await records.change(operator, async (unit) => {
          // What would follow the commit is done by nobody.
          const value = await work({ ...unit, afterCommit: () => undefined })
          if (isInside) die()
          return value
        })
        return die()
      },
    },
    isDead: () => dead,
    doom(after) {
      left = after
    },
  }
}
