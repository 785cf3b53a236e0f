/** Owns the conversation with the gateway. Refuses what it does not understand, and goes on. */
import type { Duplex } from 'node:stream'
import {
  type AskOperator,
  type ExecuteReply,
  type ExecutorMessage,
  ExecutorRequest,
  type MediaReply,
  type PluginChannelEnd,
  type ResolveReply,
  type ServerReply,
  type SpeechTask,
  type WorkOnMedia,
} from '@countersign/contract'
import { type CarriedSide, carriedStream } from '@countersign/contract/node'
import { z } from 'zod'

export interface ServeParts {
  resolve(tool: string, args: string): Promise<ResolveReply>
  execute(permit: unknown, signal: AbortSignal, work: WorkOnMedia, ask: AskOperator): Promise<ExecuteReply>
  /** Never rejects. */
  speech(task: SpeechTask, signal: AbortSignal): Promise<MediaReply>
  /** Never rejects. */
  channel(
    wanted: { readonly plugin: string; readonly launch: string },
    line: Duplex,
    signal: AbortSignal,
  ): Promise<PluginChannelEnd>
  setWorld(world: { policy: string; epoch: number }): void
  send(message: ExecutorMessage): void
}

export interface Server {
  /** Takes anything that came over the channel. */
  receive(message: unknown): void
  /** The gateway is gone: nothing that was asked of it comes any more. */
  lose(): void
  /** Resolves when no effect is under way. */
  settled(): Promise<void>
}

/** Permits are judged one by one, so that a bad one does not spoil its neighbours. */
const LooseExecute = z.strictObject({
  type: z.literal('execute'),
  id: z.int(),
  permits: z.array(z.unknown()),
})
const WithId = z.looseObject({ id: z.int() })

export function createServer(parts: ServeParts): Server {
  const underWay = new Set<Promise<void>>()
  const stops = new Map<string, Set<AbortController>>()
  /** What the gateway has a model do for a call that is under way. */
  const works = new Map<number, (reply: MediaReply) => void>()
  const speeches = new Map<number, AbortController>()
  const questions = new Map<number, (reply: ServerReply) => void>()
  const channels = new Map<number, { readonly side: CarriedSide; readonly stop: AbortController }>()
  let lastWork = 0
  let isLost = false

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  async function execute(id: number, index: number, permit: unknown): Promise<void> {
    const nonce = nonceOf(permit)
    const stop = new AbortController()
    const group = stops.get(nonce) ?? new Set()
    stops.set(nonce, group.add(stop))
    const reply = await parts.execute(permit, stop.signal, workFor(id, index), askFor(id, index))
    group.delete(stop)
    if (group.size === 0) stops.delete(nonce)
    parts.send({ type: 'executed', id, index, reply })
  }

  function workFor(id: number, index: number): WorkOnMedia {
    return (task) => {
      if (isLost) return Promise.resolve(nobodyWorks)
      lastWork += 1
      const work = lastWork
      const { promise, resolve: answered } = Promise.withResolvers<MediaReply>()
      works.set(work, answered)
      parts.send({ type: 'work', id, index, work, task })
      return promise.finally(() => works.delete(work))
    }
  }

  function askFor(id: number, index: number): AskOperator {
    return (asked, signal) => {
      if (signal.aborted || isLost) return Promise.resolve(notAnswered)
      lastWork += 1
      const question = lastWork
      const { promise, resolve: answered } = Promise.withResolvers<ServerReply>()
      const takeBack = () => {
        parts.send({ type: 'unasked', id, question })
        answered(notAnswered)
      }
      questions.set(question, answered)
      signal.addEventListener('abort', takeBack, { once: true })
      parts.send({ type: 'asks', id, index, question, asked })
      return promise.finally(() => {
        signal.removeEventListener('abort', takeBack)
        questions.delete(question)
      })
    }
  }

  async function speech(id: number, task: SpeechTask): Promise<void> {
    const stop = new AbortController()
    speeches.set(id, stop)
    const reply = await parts.speech(task, stop.signal)
    speeches.delete(id)
    parts.send({ type: 'spoken', id, reply })
  }

  /** Not waited for by whoever leaves: it is there as long as the executor. */
  async function channel({
    id,
    plugin,
    launch,
  }: Extract<ExecutorRequest, { type: 'channel' }>): Promise<void> {
    const stop = new AbortController()
    const side = carriedStream({
      give: (piece) => parts.send({ type: 'channel-piece', id, piece }),
      take: () => parts.send({ type: 'channel-taken', id }),
    })
    channels.set(id, { side, stop })
    const end = await parts.channel({ plugin, launch }, side.stream, stop.signal)
    channels.delete(id)
    side.end()
    parts.send({ type: 'channel-ended', id, end })
  }

  async function resolve(id: number, calls: readonly { tool: string; args: string }[]): Promise<void> {
    const replies = await Promise.all(calls.map(({ tool, args }) => parts.resolve(tool, args)))
    parts.send({ type: 'resolved', id, replies })
  }

  return {
    receive(message) {
      const loose = LooseExecute.safeParse(message)
      if (loose.success) {
        const { id, permits } = loose.data
        permits.forEach((permit, index) => track(execute(id, index, permit)))
        return
      }
      const parsed = ExecutorRequest.safeParse(message)
      if (!parsed.success) {
        const { data } = WithId.safeParse(message)
        const reply = { kind: 'refused', reason: 'not a request that this executor knows' } as const
        if (data) parts.send({ type: 'executed', id: data.id, index: 0, reply })
        return
      }
      const request = parsed.data
      switch (request.type) {
        case 'resolve':
          return track(resolve(request.id, request.calls))
        case 'cancel':
          for (const nonce of request.nonces) for (const stop of stops.get(nonce) ?? []) stop.abort()
          return
        case 'speech':
          return track(speech(request.id, request.task))
        case 'cancel-speech':
          return speeches.get(request.id)?.abort()
        case 'worked':
          return works.get(request.work)?.(request.reply)
        case 'answered':
          return questions.get(request.question)?.(request.reply)
        case 'channel':
          return void channel(request)
        case 'channel-piece':
          return channels.get(request.id)?.side.given(request.piece)
        case 'channel-taken':
          return channels.get(request.id)?.side.taken()
        case 'channel-stop':
          return channels.get(request.id)?.stop.abort()
        case 'world':
          return parts.setWorld(request)
        case 'execute':
          return
      }
    },
    lose() {
      isLost = true
      for (const answered of works.values()) answered(nobodyWorks)
      for (const answered of questions.values()) answered(notAnswered)
      for (const { stop } of channels.values()) stop.abort()
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const nobodyWorks = { kind: 'failed', reason: 'The gateway is gone.' } as const satisfies MediaReply
const notAnswered = {
  kind: 'cancelled',
  reason: 'The call was stopped.',
} as const satisfies ServerReply

function nonceOf(permit: unknown): string {
  const subject = (permit as { subject?: { nonce?: unknown } } | null | undefined)?.subject
  return typeof subject?.nonce === 'string' ? subject.nonce : ''
}
