/** Owns what is sent to the gateway under a number until the gateway says that it has it. */
import type { FromChannel } from './protocol.ts'

export interface Receipts {
  /** Resolves when the gateway has it; rejects when it could not take it, or the channel ends first. */
  send(compose: (n: number) => FromChannel): Promise<void>
  settle(n: number, taken: boolean): void
  /** Nothing is waited for any more. What is sent from now on goes out without. */
  end(): void
}

export function createReceipts(send: (message: FromChannel) => void): Receipts {
  const waiting = new Map<number, { resolve(): void; reject(problem: Error): void }>()
  let next = 1
  let isOver = false
  const ending = () => new Error('The channel is ending.')
  return {
    send(compose) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const n = next
      next += 1
      send(compose(n))
      if (isOver) reject(ending())
      else waiting.set(n, { resolve, reject })
      return promise
    },
    settle(n, taken) {
      const one = waiting.get(n)
      waiting.delete(n)
      if (taken) one?.resolve()
      else one?.reject(new Error('The gateway could not take it.'))
    },
    end() {
      isOver = true
      for (const { reject } of waiting.values()) reject(ending())
      waiting.clear()
    },
  }
}
