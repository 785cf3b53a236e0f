/** Owns the process of a channel: reads what the gateway says, lets the adapter act, and ends with the gateway. */
import { z } from 'zod'
import type { ChannelAdapter, ChannelConnection, ChannelContext } from './adapter.ts'
import { RejectedError } from './adapter.ts'
import { type FromChannel, ToChannel } from './protocol.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import { answer, edit, fetchFile, send, textOf } from './requests.ts'

/** The other side of the line; in a process of its own, `process`. */
export interface ChannelLine {
  send(message: FromChannel): void
  receive(listener: (message: unknown) => void): void
  /** The gateway is gone. */
  lost(listener: () => void): void
  end(code: number): void
}

type Settings = Readonly<Record<string, unknown>>
type Start = Extract<ToChannel, { type: 'start' }>

/** One life of the process. */
interface Served {
  readonly adapter: ChannelAdapter<Settings>
  readonly line: ChannelLine
  readonly receipts: Receipts
  readonly over: AbortController
  opening: Promise<ChannelConnection> | undefined
}

export function serveChannel(adapter: ChannelAdapter<Settings>, line: ChannelLine): void {
  const served: Served = {
    adapter,
    line,
    receipts: createReceipts(line.send),
    over: new AbortController(),
    opening: undefined,
  }
  line.receive((message) => {
    const read = ToChannel.safeParse(message)
    if (read.success) take(served, read.data)
    else refuse(line, message)
  })
  line.lost(() => void stop(served, 0))
  line.send({ type: 'up' })
}

function take(served: Served, message: ToChannel): void {
  const { line, receipts } = served
  const opening = () => served.opening
  switch (message.type) {
    case 'start':
      return start(served, message)
    case 'taken':
    case 'not-taken':
      return receipts.settle(message.n, message.type === 'taken')
    case 'send':
      void send(opening, message.message).then((result) => line.send({ type: 'done', n: message.n, result }))
      return
    case 'edit':
      void edit(opening, message.message, message.change).then((result) =>
        line.send({ type: 'done', n: message.n, result }),
      )
      return
    case 'typing':
      void served.opening?.then((it) => it.typing?.(message.chat, message.thread)).catch(() => undefined)
      return
    case 'fetch':
      void fetchFile(opening, message.ref, message.most).then((result) =>
        line.send({ type: 'fetched', n: message.n, result }),
      )
      return
    case 'pressed':
      void served.opening?.then((it) => it.pressed?.(message.event, message.text)).catch(() => undefined)
      return
    case 'request':
      void answer(opening, message.request).then((answered) =>
        line.send({ type: 'answered', n: message.n, answer: answered }),
      )
      return
    case 'stop':
      void stop(served, 0)
  }
}

/** Nobody waits for what cannot be read. */
function refuse(line: ChannelLine, message: unknown): void {
  const asked = Asked.safeParse(message)
  const problem = 'The channel cannot read it.'
  if (asked.success) line.send({ type: 'done', n: asked.data.n, result: { kind: 'refused', problem } })
}

const Asked = z.object({ type: z.enum(['send', 'edit']), n: z.int() })

function start(served: Served, message: Start): void {
  served.opening ??= open(served, message)
  served.opening.catch((error: unknown) => {
    const type = error instanceof RejectedError ? 'rejected' : 'disconnected'
    served.line.send({ type, problem: textOf(error) })
    // Whoever can try again starts it again.
    if (type === 'disconnected') void stop(served, 1)
  })
}

async function open({ adapter, line, receipts, over }: Served, message: Start): Promise<ChannelConnection> {
  const { settings, secrets, state } = message
  const context: ChannelContext<Settings> = {
    settings: adapter.manifest.settings.parse(settings),
    secrets,
    state,
    take: (event) => receipts.send((n) => ({ type: 'event', n, event })),
    keep: (kept) => receipts.send((n) => ({ type: 'keep', n, state: kept })),
    connected: (account) => line.send({ type: 'connected', account }),
    disconnected: (problem) => line.send({ type: 'disconnected', problem: problem.slice(0, 1_000) }),
    signal: over.signal,
  }
  return adapter.open(context)
}

async function stop({ over, receipts, opening, line }: Served, code: number): Promise<void> {
  over.abort()
  receipts.end()
  await opening?.then((connection) => connection.close()).catch(() => undefined)
  line.end(code)
}
