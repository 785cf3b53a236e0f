/** Owns the conversation with the gateway. Refuses what it does not understand, and goes on. */
import {
  type AskOperator,
  type ExecuteReply,
  ExecutorRequest,
  type MediaReply,
  type ResolveReply,
  type SpeechTask,
  type WorkOnMedia,
} from '@countersign/contract'
import { z } from 'zod'
import { createGatewayAnswers } from './gateway-answers.ts'
import { createServedChannels, type ServedChannelsParts } from './served-channels.ts'

export interface ServeParts extends ServedChannelsParts {
  resolve(tool: string, args: string): Promise<ResolveReply>
  execute(permit: unknown, signal: AbortSignal, work: WorkOnMedia, ask: AskOperator): Promise<ExecuteReply>
  /** Never rejects. */
  speech(task: SpeechTask, signal: AbortSignal): Promise<MediaReply>
  setWorld(world: { policy: string; epoch: number }): void
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
  const speeches = new Map<number, AbortController>()
  const answers = createGatewayAnswers(parts.send)
  const channels = createServedChannels(parts)

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  async function execute(id: number, index: number, permit: unknown): Promise<void> {
    const nonce = nonceOf(permit)
    const stop = new AbortController()
    const group = stops.get(nonce) ?? new Set()
    stops.set(nonce, group.add(stop))
    const reply = await parts.execute(
      permit,
      stop.signal,
      answers.workFor(id, index),
      answers.askFor(id, index),
    )
    group.delete(stop)
    if (group.size === 0) stops.delete(nonce)
    parts.send({ type: 'executed', id, index, reply })
  }

  async function speech(id: number, task: SpeechTask): Promise<void> {
    const stop = new AbortController()
    speeches.set(id, stop)
    const reply = await parts.speech(task, stop.signal)
    speeches.delete(id)
    parts.send({ type: 'spoken', id, reply })
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
        case 'answered':
          return answers.take(request)
        case 'channel':
          return void channels.open(request)
        case 'channel-piece':
        case 'channel-taken':
        case 'channel-stop':
          return channels.take(request)
        case 'world':
          return parts.setWorld(request)
        case 'execute':
          return
      }
    },
    lose() {
      answers.lose()
      channels.lose()
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function nonceOf(permit: unknown): string {
  const subject = (permit as { subject?: { nonce?: unknown } } | null | undefined)?.subject
  return typeof subject?.nonce === 'string' ? subject.nonce : ''
}
