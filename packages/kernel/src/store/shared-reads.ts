/**
 * Owns the transactions that reads of one moment share: the first opens one, those that come while it is open join it,
 * and it ends when none is under way any more. A read that fails takes the others of its transaction with it, so what
 * failed is read again by itself, and stands or falls alone.
 */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb, Reader } from './handles.ts'

export interface SharedReads {
  /** Joins a transaction that is open, or opens one. */
  readonly together: Reader
  /** Joins a transaction that is open; where none is, it is read by itself. */
  readonly alongside: Reader
}

/** One transaction. */
interface Moment {
  readonly db: Promise<LimitedDb>
  /** Those under way; the one that was asked for first is the first. */
  readonly underWay: Set<{ readonly since: number }>
  joined: number
  readonly end: () => void
}

/** A transaction answers in order: nobody waits behind a read that takes so long, nor behind a crowd. */
const longestWaitMs = 250
const crowd = 8
/** So that it ends also while reads never cease. */
const mostJoined = 100

/** At most so many transactions of an operator are open at once; there are more connections than these. */
export function shareReads(open: Reader, most: number): SharedReads {
  const moments = new Map<OperatorId, Set<Moment>>()

  function begin(operator: OperatorId): Moment {
    const { promise: db, resolve, reject } = Promise.withResolvers<LimitedDb>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    open(operator, (handle) => {
      resolve(handle)
      return over
    }).catch(reject)
    const moment: Moment = { db, underWay: new Set(), joined: 0, end }
    moments.set(operator, (moments.get(operator) ?? new Set()).add(moment))
    return moment
  }

  /** The one in which the fewest wait. */
  function joinable(operator: OperatorId): Moment | undefined {
    const [quietest] = [...(moments.get(operator) ?? [])]
      .filter(isQuick)
      .toSorted((one, other) => one.underWay.size - other.underWay.size)
    return quietest
  }

  function joinOrBegin(operator: OperatorId): Moment | undefined {
    const quietest = joinable(operator)
    const isFree = quietest !== undefined && quietest.underWay.size < crowd
    return isFree || (moments.get(operator)?.size ?? 0) >= most ? quietest : begin(operator)
  }

  /** Nobody joins it any more. */
  function leave(operator: OperatorId, moment: Moment): void {
    const open = moments.get(operator)
    open?.delete(moment)
    if (open?.size === 0) moments.delete(operator)
  }

  async function readIn<T>(
    moment: Moment,
    operator: OperatorId,
    work: (db: LimitedDb) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    const asked = { since: performance.now() }
    moment.underWay.add(asked)
    moment.joined += 1
    try {
      return { value: await work(await moment.db) }
    } catch {
      leave(operator, moment)
      return undefined
    } finally {
      moment.underWay.delete(asked)
      // Whoever has just been answered may ask for the next thing at once.
      setImmediate(() => {
        if (moment.underWay.size > 0) return
        leave(operator, moment)
        moment.end()
      })
    }
  }

  async function read<T>(
    moment: Moment | undefined,
    operator: OperatorId,
    work: (db: LimitedDb) => Promise<T>,
  ): Promise<T> {
    const read = moment && (await readIn(moment, operator, work))
    return read ? read.value : open(operator, work)
  }

  return {
    together: (operator, work) => read(joinOrBegin(operator), operator, work),
    alongside: (operator, work) => read(joinable(operator), operator, work),
  }
}

function isQuick({ underWay, joined }: Moment): boolean {
  const [first] = underWay
  return joined < mostJoined && (first === undefined || performance.now() - first.since <= longestWaitMs)
}
