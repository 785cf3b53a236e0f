/**
 * Owns messages between the assistant and the lanes: written in the transaction that caused them, admitted after it, once
 * for each key. What a crash left is delivered at the next start or by the next delivery.
 */
import { CountersignError, type OperatorId } from '@countersign/contract'
import type { InboundMessage } from '@countersign/kernel'
import { type AssistantContext, assistantDb, type PostMessage } from '../assistant-context.ts'

export type Admit = (operator: OperatorId, message: InboundMessage) => Promise<unknown>

export interface Outbox {
  readonly post: PostMessage
  /** Admits what waits, the oldest first, and says how much that was. */
  deliver(): Promise<number>
  /** From here on whatever is posted is delivered at once. */
  open(admit: Admit): void
}

interface WaitingMessage {
  readonly key: string
  readonly message: InboundMessage
  readonly at: Date
}

const mostAtOnce = 100

export function createOutbox({ operator, records, onProblem }: AssistantContext): Outbox {
  let admit: Admit | undefined
  let turn: Promise<number> = Promise.resolve(0)
  let next: Promise<number> | undefined

  /** All of it, a page at a time: what no lane takes now keeps nothing behind it waiting. */
  async function deliverOnce(): Promise<number> {
    if (!admit) return 0
    let delivered = 0
    for (let page = await waitingAfter(undefined); page.length > 0; page = await waitingAfter(page.at(-1)))
      delivered += await deliverPage(admit, page)
    return delivered
  }

  function waitingAfter(last: WaitingMessage | undefined): Promise<WaitingMessage[]> {
    return records.single(operator, ({ db }) =>
      assistantDb(db)
        .selectFrom('outbox')
        .select(['key', 'message', 'at'])
        .$if(last !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('at', 'key'), '>', tuple(last?.at ?? new Date(0), last?.key ?? '')),
          ),
        )
        .orderBy('at')
        .orderBy('key')
        .limit(mostAtOnce)
        .execute(),
    )
  }

  async function deliverPage(admit: Admit, page: readonly WaitingMessage[]): Promise<number> {
    let delivered = 0
    for (const { key, message } of page) {
      try {
        await admit(operator, message)
      } catch (problem) {
        onProblem(problem)
        // A lane that is gone never takes it; anything else may be over by the next time.
        if (!(problem instanceof CountersignError && problem.code === 'not_found')) continue
      }
      await records.single(operator, ({ db }) =>
        assistantDb(db).deleteFrom('outbox').where('key', '=', key).execute(),
      )
      delivered += 1
    }
    return delivered
  }

  /** One after the other, so that messages to one lane keep their order; whoever waits for its turn is enough. */
  function deliver(): Promise<number> {
    if (next) return next
    const begin = () => {
      next = undefined
      return deliverOnce()
    }
    turn = turn.then(begin, begin)
    next = turn
    return turn
  }

  return {
    async post(tx, message) {
      await assistantDb(tx.db)
        .insertInto('outbox')
        .values({
          operator_id: tx.operator,
          key: message.key,
          message: JSON.stringify(message),
          at: tx.now,
        })
        .onConflict((conflict) => conflict.columns(['operator_id', 'key']).doNothing())
        .execute()
      tx.afterCommit(() => {
        deliver().catch(onProblem)
      })
    },
    deliver,
    open(given) {
      admit = given
    },
  }
}
