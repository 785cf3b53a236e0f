import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AskOperator, ServerAsks, ServerReply } from '@countersign/contract'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { egressTransport } from './egress-transport.ts'
import { connectServer, type ServerConnection } from './server-connection.ts'
import { createServerQuestions } from './server-questions.ts'
import type { BoundedTransport } from './stream-transport.ts'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: unknown
}
/** What a server does when a tool is called: it may ask, and answers with the text that comes of it. */
type Act = (ask: (params: unknown) => Promise<Message>, tool: string) => Promise<string>

const never = new AbortController().signal
const waits = { startMs: 20_000, silentMs: 20_000, callMs: 20_000, questionMs: 20_000 }
const cityForm = {
  message: 'Which city?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string', default: 'Graz' } } },
}

/** A server in this process. */
function scripted(act: Act) {
  const heard: Message[] = []
  const answers = new Map<number | string, (message: Message) => void>()
  let asked = 0
  const say = (message: Record<string, unknown>) =>
    transport.onmessage?.({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage)
  const ask = (params: unknown) => {
    asked += 1
    const id = `q${asked}`
    const { promise, resolve } = Promise.withResolvers<Message>()
    answers.set(id, resolve)
    queueMicrotask(() => say({ id, method: 'elicitation/create', params }))
    return promise
  }
  const transport: BoundedTransport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    listenAnew: () => undefined,
    problem: () => undefined,
    async send(sent) {
      const message = sent as Message
      heard.push(message)
      const { id, method, params = {} } = message
      if (method === undefined && id !== undefined) answers.get(id)?.(message)
      if (method === 'initialize')
        say({
          id,
          result: {
            protocolVersion: params['protocolVersion'],
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        })
      if (method === 'tools/call') {
        const text = await act(ask, String(params['name']))
        say({ id, result: { content: [{ type: 'text', text }] } })
      }
    },
  }
  return { transport, heard }
}

async function connected(act: Act, more: { readonly asks?: boolean; readonly questionMs?: number } = {}) {
  const { transport, heard } = scripted(act)
  const questions = more.asks === false ? undefined : createServerQuestions({ ...waits, ...more })
  const connection = await connectServer(transport, never, { now: Date.now, waits, questions })
  return { connection, heard }
}

function operator(reply: ServerReply): { readonly ask: AskOperator; readonly seen: ServerAsks[] } {
  const seen: ServerAsks[] = []
  return {
    seen,
    ask: async (asked) => {
      seen.push(asked)
      return reply
    },
  }
}

const accepted: ServerReply = { kind: 'accepted', values: { city: 'Wien' } }
const call = (connection: ServerConnection, ask?: AskOperator, signal = never) =>
  connection.call({ tool: 'work', input: {}, signal, ask })
const resultOf: Act = async (ask) => JSON.stringify((await ask(cityForm)).result)

/** Waits as an operator does who never answers. */
function silentOperator() {
  const shown = Promise.withResolvers<void>()
  const ask: AskOperator = (_, signal) =>
    new Promise((resolve) => {
      shown.resolve()
      signal.addEventListener('abort', () => resolve({ kind: 'cancelled', reason: 'gone' }))
    })
  return { ask, shown: shown.promise }
}

describe('a server that asks during a call', () => {
  test('is given what the operator answered, and says that it may ask', async () => {
    const { connection, heard } = await connected(resultOf)
    const { ask, seen } = operator(accepted)
    expect(await call(connection, ask)).toMatchObject({
      kind: 'answered',
      text: '{"action":"accept","content":{"city":"Wien"}}',
      notes: ['The server asked the operator, who answered it.'],
    })
    expect(seen).toMatchObject([{ kind: 'form', form: { message: 'Which city?' } }])
    expect(heard[0]?.params?.['capabilities']).toEqual({ elicitation: { form: {} } })
  })

  test('is told that the operator declined', async () => {
    const { connection } = await connected(resultOf)
    const { ask } = operator({ kind: 'declined', reason: 'No.' })
    expect(await call(connection, ask)).toMatchObject({ text: '{"action":"decline"}' })
  })

  test('is not told that it may ask where nobody can be asked, and is refused', async () => {
    const { connection, heard } = await connected(
      async (ask) => JSON.stringify((await ask(cityForm)).error),
      {
        asks: false,
      },
    )
    expect(await call(connection)).toMatchObject({ text: expect.stringContaining('-32601') })
    expect(heard[0]?.params?.['capabilities']).toEqual({})
  })

  test('is declined at once in a call for which nobody can be asked', async () => {
    const { connection } = await connected(resultOf)
    expect(await call(connection)).toMatchObject({ text: '{"action":"decline"}' })
  })

  test('is declined where it asks for a secret, and it is said', async () => {
    const { connection } = await connected(async (ask) => {
      const properties = { password: { type: 'string' } }
      return JSON.stringify(
        (await ask({ ...cityForm, requestedSchema: { type: 'object', properties } })).result,
      )
    })
    const { ask, seen } = operator(accepted)
    expect(await call(connection, ask)).toMatchObject({
      text: '{"action":"decline"}',
      notes: [expect.stringContaining('seems to ask for a password')],
    })
    expect(seen).toMatchObject([{ kind: 'refused' }])
  })

  test('is not shown an answer that does not fit its form', async () => {
    const { connection } = await connected(resultOf)
    const { ask } = operator({ kind: 'accepted', values: { city: 3 } })
    expect(await call(connection, ask)).toMatchObject({ text: '{"action":"cancel"}' })
  })

  test('asks one thing at a time, and three at most', async () => {
    const { connection } = await connected(async (ask) =>
      JSON.stringify(
        (await Promise.all(Array.from({ length: 6 }, () => ask(cityForm)))).map(
          ({ result }) => result?.['action'],
        ),
      ),
    )
    let open = 0
    let most = 0
    const seen: string[] = []
    const ask: AskOperator = async ({ kind }) => {
      seen.push(kind)
      if (kind === 'refused') return { kind: 'declined', reason: '' }
      open += 1
      most = Math.max(most, open)
      await new Promise((resume) => setImmediate(resume))
      open -= 1
      return accepted
    }
    expect(await call(connection, ask)).toMatchObject({
      text: '["accept","accept","accept","cancel","cancel","cancel"]',
    })
    expect(most).toBe(1)
    expect(seen.toSorted()).toEqual(['form', 'form', 'form', 'refused'])
  })

  test('is told cancel when nobody answers in time, and the call ends as it would', async () => {
    const { connection } = await connected(resultOf, { questionMs: 50 })
    expect(await call(connection, silentOperator().ask)).toMatchObject({
      kind: 'answered',
      text: '{"action":"cancel"}',
      notes: ['A question of the server was not answered: Nobody answered in time.'],
    })
  })

  test('is told cancel when the call is stopped', async () => {
    const { connection, heard } = await connected(resultOf)
    const stop = new AbortController()
    const { ask, shown } = silentOperator()
    const calling = call(connection, ask, stop.signal)
    await shown
    stop.abort()
    expect(await calling).toMatchObject({ kind: 'silent' })
    expect(heard).toContainEqual(expect.objectContaining({ id: 'q1', result: { action: 'cancel' } }))
  })

  test('takes its question back by ending the call', async () => {
    const { ask, shown } = silentOperator()
    const { connection } = await connected(async (put) => {
      void put(cityForm)
      await shown
      return 'done without it'
    })
    expect(await call(connection, ask)).toMatchObject({ text: 'done without it' })
  })

  test('asks for nobody in particular while several calls are open', async () => {
    const both = Promise.withResolvers<void>()
    let calls = 0
    const { connection } = await connected(async (ask) => {
      calls += 1
      if (calls === 2) both.resolve()
      await both.promise
      return JSON.stringify((await ask(cityForm)).result)
    })
    const { ask, seen } = operator(accepted)
    const answers = await Promise.all([call(connection, ask), call(connection, ask)])
    expect(seen.length).toBeLessThan(2)
    expect(answers[0]).toMatchObject({
      text: '{"action":"cancel"}',
      notes: [expect.stringContaining('several calls')],
    })
  })

  test('is not late while the operator thinks', async () => {
    const { transport } = scripted(resultOf)
    const hasty = { ...waits, silentMs: 40, callMs: 40 }
    const questions = createServerQuestions(waits)
    const connection = await connectServer(transport, never, { now: Date.now, waits: hasty, questions })
    const ask: AskOperator = async () => {
      await new Promise((resume) => setTimeout(resume, 120))
      return accepted
    }
    expect(await call(connection, ask)).toMatchObject({ kind: 'answered' })
  })
})

describe('a server at an address', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  test('asks in the stream of its answer, and is answered while it stands open', async () => {
    let finish: ((result: unknown) => void) | undefined
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const { id, method, params, result } = JSON.parse(body || '{}') as Message
        const say = (message: unknown) => response.write(`data: ${JSON.stringify(message)}\n\n`)
        if (method === 'initialize') {
          response.writeHead(200, { 'content-type': 'application/json' })
          const serverInfo = { name: 's', version: '1' }
          const told = {
            protocolVersion: params?.['protocolVersion'],
            capabilities: { tools: {} },
            serverInfo,
          }
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: told }))
        }
        if (method === 'tools/call') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          say({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: cityForm })
          finish = (answer) => {
            say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: JSON.stringify(answer) }] } })
            response.end()
          }
          return
        }
        if (result !== undefined) finish?.(result)
        return response.writeHead(202).end()
      })
    })
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server?.listen(0, '127.0.0.1', () => resolve(server?.address() as AddressInfo)),
    )
    const egress = createEgress({
      allow: { allowPrivate: [{ host: '127.0.0.1', port }], ports: [] },
      limits: defaultEgressLimits,
    })
    const questions = createServerQuestions(waits)
    const url = `http://127.0.0.1:${port}/mcp`
    const transport = egressTransport(
      { url, bearer: undefined, isPatient: questions.isWaiting },
      egress,
      never,
    )
    const connection = await connectServer(transport, never, { now: Date.now, waits, questions })
    const { ask } = operator(accepted)
    expect(await call(connection, ask)).toMatchObject({
      kind: 'answered',
      text: '{"action":"accept","content":{"city":"Wien"}}',
    })
    await connection.close()
  })
})
