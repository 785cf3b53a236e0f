import type { ExecuteReply, ExecutorMessage } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createServer } from './serve.ts'

const reply: ExecuteReply = { kind: 'refused', reason: 'test' }

function serve(execute: Parameters<typeof createServer>[0]['execute'] = async () => reply) {
  const sent: ExecutorMessage[] = []
  const worlds: unknown[] = []
  const server = createServer({
    resolve: async (tool) => ({ kind: 'invalid', reason: tool }),
    execute,
    speech: async ({ kind }, signal) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { kind: 'failed', reason: `${kind} was cancelled` }
    },
    channel: async () => ({ reason: 'test', final: true }),
    setWorld: (world) => void worlds.push(world),
    send: (message) => void sent.push(message),
  })
  return { server, sent, worlds }
}

describe('the server of an executor', () => {
  it('goes on after messages that it does not understand', async () => {
    const { server, sent, worlds } = serve()
    for (const message of [null, undefined, 1, 'x', [], {}, { type: 'run' }, { type: 'world', epoch: 'x' }])
      server.receive(message)
    server.receive({ type: 'resolve', id: 1, calls: [{ tool: 'a', args: '{}', more: 1 }] })
    server.receive({ type: 'execute', id: 2, permits: 'none' })
    server.receive({ type: 'resolve', id: 3, calls: [{ tool: 'a', args: '{}' }] })
    await server.settled()
    const refused = { kind: 'refused', reason: 'not a request that this executor knows' }
    expect(sent).toEqual([
      { type: 'executed', id: 1, index: 0, reply: refused },
      { type: 'executed', id: 2, index: 0, reply: refused },
      { type: 'resolved', id: 3, replies: [{ kind: 'invalid', reason: 'a' }] },
    ])
    expect(worlds).toEqual([])
  })

  it('answers each permit of a batch as soon as it ends', async () => {
    const first = Promise.withResolvers<ExecuteReply>()
    const { server, sent } = serve((permit) => (permit === 'slow' ? first.promise : Promise.resolve(reply)))
    server.receive({ type: 'execute', id: 1, permits: ['slow', 'quick'] })
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toMatchObject([{ index: 1 }])
    first.resolve(reply)
    await server.settled()
    expect(sent).toMatchObject([{ index: 1 }, { index: 0 }])
  })

  it('cancels by nonce and leaves the others alone', async () => {
    const signals: AbortSignal[] = []
    const { server } = serve((_, signal) => {
      signals.push(signal)
      return new Promise((resolve) => setTimeout(() => resolve(reply), 20))
    })
    server.receive({
      type: 'execute',
      id: 1,
      permits: [{ subject: { nonce: 'a' } }, { subject: { nonce: 'b' } }],
    })
    server.receive({ type: 'cancel', nonces: ['a', 'unknown'] })
    await server.settled()
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false])
  })

  const asked = { kind: 'refused', reason: 'test' } as const
  const never = new AbortController().signal

  it('hands what the operator says to the call that asked', async () => {
    const heard: unknown[] = []
    const { server, sent } = serve(async (_permit, _signal, _work, ask) => {
      heard.push(await ask(asked, never))
      return reply
    })
    server.receive({ type: 'execute', id: 4, permits: ['one'] })
    expect(sent).toEqual([{ type: 'asks', id: 4, index: 0, question: 1, asked }])
    const said = { kind: 'declined', reason: 'No.' }
    server.receive({ type: 'answered', question: 9, reply: { kind: 'accepted', values: {} } })
    server.receive({ type: 'answered', question: 1, reply: said })
    await server.settled()
    expect(heard).toEqual([said])
  })

  it('takes a question back when nobody waits for it, and asks nobody when the gateway is gone', async () => {
    const stop = new AbortController()
    const heard: unknown[] = []
    const { server, sent } = serve(async (_permit, _signal, work, ask) => {
      heard.push((await ask(asked, stop.signal)).kind, (await ask(asked, never)).kind)
      heard.push((await ask(asked, never)).kind, (await work({ kind: 'look' } as never)).kind)
      return reply
    })
    server.receive({ type: 'execute', id: 5, permits: ['one'] })
    stop.abort()
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent.map(({ type }) => type)).toEqual(['asks', 'unasked', 'asks'])
    server.lose()
    await server.settled()
    expect(heard).toEqual(['cancelled', 'cancelled', 'cancelled', 'failed'])
  })

  it('speaks until it is told to stop, and not longer', async () => {
    const { server, sent } = serve()
    const task = { kind: 'speech', text: 'Hello', voice: 'alloy', format: 'mp3', speed: 1 }
    server.receive({ type: 'speech', id: 7, task })
    server.receive({ type: 'cancel-speech', id: 8 })
    expect(sent).toEqual([])
    server.receive({ type: 'cancel-speech', id: 7 })
    await server.settled()
    expect(sent).toEqual([
      { type: 'spoken', id: 7, reply: { kind: 'failed', reason: 'speech was cancelled' } },
    ])
  })
})
