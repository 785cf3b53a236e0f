/**
 * Owns the gateway's own live state, one for each operator who asks: folded from the log on the first question, and
 * kept up with the stream from then on. It only repeats what the log says, so it can be dropped at any time.
 */
import { CountersignError, emptyLive, fold, type LiveState, type OperatorId } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'

export interface Live {
  /** The state with every event that was committed before it was asked for. */
  now(operator: OperatorId): Promise<LiveState>
  /** The state after that event. Refuses one before the states that are kept: it would fold the whole log. */
  at(operator: OperatorId, seq: number): Promise<LiveState>
  close(): Promise<void>
}

export interface LiveOptions {
  readonly stream: Pick<Stream, 'since' | 'listen' | 'head'>
}

/** So many events lie between two states that are kept to fold on from, and so many of these there are. */
const stride = 200
const mostStrides = 50
const page = 1_000

interface FollowedSession {
  state: LiveState
  /** Oldest first, the states to begin from. */
  readonly marks: LiveState[]
  stop(): void
}

export function createLive(options: LiveOptions): Live {
  const { stream } = options
  const operators = new Map<OperatorId, Promise<FollowedSession>>()

  function followed(operator: OperatorId): Promise<FollowedSession> {
    const known = operators.get(operator)
    if (known) return known
    const opening = open(operator)
    operators.set(operator, opening)
    // The next one who asks tries again.
    opening.catch(() => operators.delete(operator))
    return opening
  }

  /** Listens first and then reads, so that nothing falls between. */
  async function open(operator: OperatorId): Promise<FollowedSession> {
    const one: FollowedSession = { state: emptyLive, marks: [emptyLive], stop: () => undefined }
    const early: LiveEvents[] = []
    let reading = true
    const { stop } = await stream.listen(operator, {
      events: (events) => (reading ? early.push(events) : take(one, events)),
      delta: () => undefined,
    })
    try {
      await catchUp(operator, one)
      for (const events of early) take(one, events)
      reading = false
      return Object.assign(one, { stop })
    } catch (error) {
      stop()
      throw error
    }
  }

  async function catchUp(operator: OperatorId, one: FollowedSession): Promise<void> {
    for (;;) {
      const events = await stream.since(operator, one.state.seq, page)
      take(one, events)
      if (events.length < page) return
    }
  }

  function take(one: FollowedSession, events: LiveEvents): void {
    one.state = fold(one.state, events)
    const last = one.marks.at(-1)
    if (last === undefined || one.state.seq - last.seq >= stride) {
      one.marks.push(one.state)
      if (one.marks.length > mostStrides) one.marks.shift()
    }
  }

  async function now(operator: OperatorId): Promise<LiveState> {
    const one = await followed(operator)
    // Another process may have committed what the stream has not brought yet.
    if (one.state.seq < (await stream.head(operator))) await catchUp(operator, one)
    return one.state
  }

  return {
    now,
    async at(operator, seq) {
      const latest = await now(operator)
      if (seq > latest.seq)
        throw new CountersignError(
          'not_found',
          `There is no event ${seq} yet; the last one is ${latest.seq}.`,
          {
            next: 'Ask for a number up to that one.',
          },
        )
      if (seq === latest.seq) return latest
      const { marks } = await followed(operator)
      let state = marks.findLast((mark) => mark.seq <= seq)
      if (state === undefined)
        throw new CountersignError('expired', `The state after event ${seq} is no longer stored.`, {
          next: `Ask for a number from ${marks[0]?.seq ?? latest.seq} on, or read the events.`,
        })
      while (state.seq < seq) {
        const events = await stream.since(operator, state.seq, Math.min(page, seq - state.seq))
        if (events.length === 0) break
        state = fold(state, events)
      }
      return state
    },
    async close() {
      const all = [...operators.values()]
      operators.clear()
      for (const opening of all) (await opening.catch(() => null))?.stop()
    },
  }
}

type Stream = Kernel['stream']
type LiveEvents = Awaited<ReturnType<Stream['since']>>
