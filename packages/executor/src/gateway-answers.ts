/**
 * Owns what a call under way asks of the gateway and waits for: what a model makes of something, and what the operator says
 * to a server. When the gateway is gone, nobody answers any more.
 */
import type {
  AskOperator,
  ExecutorMessage,
  ExecutorRequest,
  MediaReply,
  ServerReply,
  WorkOnMedia,
} from '@countersign/contract'

export interface GatewayAnswers {
  workFor(id: number, index: number): WorkOnMedia
  askFor(id: number, index: number): AskOperator
  take(answer: Extract<ExecutorRequest, { type: 'worked' | 'answered' }>): void
  lose(): void
}

const nobodyWorks = { kind: 'failed', reason: 'The gateway is gone.' } as const satisfies MediaReply
const notAnswered = { kind: 'cancelled', reason: 'The call was stopped.' } as const satisfies ServerReply

export function createGatewayAnswers(send: (message: ExecutorMessage) => void): GatewayAnswers {
  const works = new Map<number, (reply: MediaReply) => void>()
  const questions = new Map<number, (reply: ServerReply) => void>()
  let last = 0
  let isLost = false

  return {
    workFor: (id, index) => (task) => {
      if (isLost) return Promise.resolve(nobodyWorks)
      last += 1
      const work = last
      const { promise, resolve } = Promise.withResolvers<MediaReply>()
      works.set(work, resolve)
      send({ type: 'work', id, index, work, task })
      return promise.finally(() => works.delete(work))
    },
    askFor: (id, index) => (asked, signal) => {
      if (signal.aborted || isLost) return Promise.resolve(notAnswered)
      last += 1
      const question = last
      const { promise, resolve } = Promise.withResolvers<ServerReply>()
      const takeBack = () => {
        send({ type: 'unasked', id, question })
        resolve(notAnswered)
      }
      questions.set(question, resolve)
      signal.addEventListener('abort', takeBack, { once: true })
      send({ type: 'asks', id, index, question, asked })
      return promise.finally(() => {
        signal.removeEventListener('abort', takeBack)
        questions.delete(question)
      })
    },
    take(answer) {
      if (answer.type === 'worked') works.get(answer.work)?.(answer.reply)
      else questions.get(answer.question)?.(answer.reply)
    },
    lose() {
      isLost = true
      for (const answered of works.values()) answered(nobodyWorks)
      for (const answered of questions.values()) answered(notAnswered)
    },
  }
}
