/**
 * Owns the transactions that reads of one moment share: the first opens one, those that come while it is open join it,
 * and it ends when none is under way any more. A read that fails takes the others of its transaction with it, so what
 * failed is read again by itself, and stands or falls alone.
 */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb, Reader } from './handles.ts'

export interface SharedReads {
  /** Joins the transaction that is open, or opens one. */
  readonly together: Reader
  /** Joins the transaction that is open; where none is, it is read by itself. */
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

/** A transaction answers in order: nobody waits behind a read that takes so long. */
const longestWaitMs = 50
/** So that it ends also while reads never cease. */
const mostJoined = 100

export function shareReads(open: Reader, alone: Reader): SharedReads {
  const moments = new Map<OperatorId, Moment>()

  function begin(operator: OperatorId): Moment {
    const { promise: db, resolve, reject } = Promise.withResolvers<LimitedDb>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    open(operator, (handle) => {
      resolve(handle)
      return over
    }).catch(reject)
    const moment: Moment = { db, underWay: new Set(), joined: 0, end }
    moments.set(operator, moment)
    return moment
  }

  function joinable(operator: OperatorId): Moment | undefined {
    const moment = moments.get(operator)
    if (moment === undefined || moment.joined >= mostJoined) return undefined
    const [first] = moment.underWay
    return first && performance.now() - first.since > longestWaitMs ? undefined : moment
  }

  function leave(operator: OperatorId, moment: Moment): void {
    if (moments.get(operator) === moment) moments.delete(operator)
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
    return read ? read.value : alone(operator, work)
  }

  return {
    together: (operator, work) => read(joinable(operator) ?? begin(operator), operator, work),
    alongside: (operator, work) => read(joinable(operator), operator, work),
  }
}
