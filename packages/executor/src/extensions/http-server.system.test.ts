import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpLaunch, JsonObject, ToolResult } from '@countersign/contract'
import { serverNamed, serverToolFacts } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'
import { openVaultAt } from '../vault/vault-paths.ts'

let port: number
let host: TestHost
let executor: Executor
const ends: (() => Promise<void> | void)[] = []
const signal = new AbortController().signal

beforeEach(async () => {
  port = await freePort()
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const { port: free } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return free
}

async function open(allowed: number[] = [port]): Promise<void> {
  const made = createTestHost({
    allowPrivate: allowed.map((each) => ({ host: '127.0.0.1', port: each })),
    ports: [],
  })
  const vault = {
    file: join(made.folder, 'vault.age'),
    key: join(made.folder, 'vault-key'),
    record: join(made.folder, 'vault-record'),
    account: 'test',
    wanted: 'file',
  } as const
  host = { ...made, options: { ...made.options, vault } }
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  ends.push(async () => {
    await executor.close()
    host.remove()
  })
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

const entry = () => serverNamed(executor.extensions.current(), 'far')

async function letIn(tools: readonly string[], launch: Partial<HttpLaunch> = {}): Promise<ToolResult> {
  const http = { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, secret: null, ...launch }
  await use('add_server', { name: 'far', launch: http })
  const looked = await use('look_at_server', { server: 'far', launch: entry()?.launchHash ?? '' })
  const accepted = (entry()?.offered ?? []).filter(({ name }) => tools.includes(name))
  if (accepted.length > 0)
    await use('accept_server_tools', {
      server: 'far',
      tools: accepted.map((tool) => ({ tool, tier: 2 })) as unknown as JsonObject[],
    })
  return looked
}

function call(tool: string, input: JsonObject): Promise<ToolResult> {
  const facts = serverToolFacts(executor.extensions.current()).find(({ name }) => name === `far__${tool}`)
  const inner = facts?.unwrap?.(input)
  if (inner?.kind !== 'one') throw new Error(`no tool ${tool}`)
  return use('call_server_tool', inner.call.args)
}

/** Speaks by hand, and writes down what came. */
async function listen(
  answer: (
    message: JsonObject,
    request: IncomingMessage,
  ) => { status: number; body?: JsonObject; headers?: Record<string, string> },
): Promise<IncomingMessage[]> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(request)
      const text = Buffer.concat(chunks).toString('utf8')
      const {
        status,
        body,
        headers = {},
      } = answer(text === '' ? {} : (JSON.parse(text) as JsonObject), request)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body && JSON.stringify({ jsonrpc: '2.0', ...body }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => void server.close(() => resolve()))
  })
  return asked
}

const small = (message: JsonObject): { status: number; body?: JsonObject } => {
  const { id = null, method } = message
  if (id === null) return { status: 202 }
  const params = message['params'] as JsonObject
  switch (method) {
    case 'initialize':
      return {
        status: 200,
        body: {
          id,
          result: {
            protocolVersion: params['protocolVersion'] ?? '',
            capabilities: { tools: {} },
            serverInfo: { name: 'small', version: '1' },
          },
        },
      }
    case 'tools/list':
      return {
        status: 200,
        body: { id, result: { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] } },
      }
    default:
      return { status: 200, body: { id, result: { content: [{ type: 'text', text: 'hello from afar' }] } } }
  }
}

describe('a server elsewhere', () => {
  it('is used over streamable HTTP: the real one', { timeout: 120_000 }, async () => {
    await open()
    const folder = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
    const program = join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const child: ChildProcess = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { PORT: String(port) },
      stdio: 'ignore',
    })
    ends.push(() => void child.kill('SIGKILL'))
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/mcp`), { timeout: 60_000 })
    const looked = await letIn(['echo'])
    expect(looked, looked.text).toMatchObject({ ok: true })
    expect(await call('echo', { message: 'far away' })).toMatchObject({
      ok: true,
      text: 'Echo: far away',
      label: { integrity: 'untrusted', sources: ['server far'] },
    })
  })

  it('is sent its secret as bearer token, which is told to nobody', async () => {
    await open()
    const kept = await openVaultAt({ ...host.options.vault! })
    await kept.put('far_token', {
      value: 'value-of-far',
      description: '',
      destinations: [{ scheme: 'http', host: '127.0.0.1', port }],
      tools: [],
    } as never)
    const asked = await listen((message, request) =>
      message['method'] === 'tools/call'
        ? {
            status: 200,
            body: {
              id: message['id'] ?? null,
              result: { content: [{ type: 'text', text: `you sent ${request.headers.authorization}` }] },
            },
          }
        : small(message),
    )
    await letIn(['hello'], { secret: 'far_token' })
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer value-of-far']),
    )
    expect((await call('hello', {})).text).toBe('you sent Bearer ‹secret:far_token›')
  })

  it('is not sent a secret that is kept for another place', async () => {
    await open()
    const kept = await openVaultAt({ ...host.options.vault! })
    await kept.put('far_token', {
      value: 'value-of-far',
      description: '',
      destinations: [{ scheme: 'https', host: 'api.example.com', port: 443 }],
      tools: [],
    } as never)
    const asked = await listen(small)
    await expect(letIn(['hello'], { secret: 'far_token' })).rejects.toThrow('is not for')
    expect(asked).toEqual([])
  })

  it('is not reached at an inner address that the operator did not open', async () => {
    await open([])
    const asked = await listen(small)
    expect(await letIn(['hello'])).toMatchObject({ ok: false, text: expect.stringContaining('localTargets') })
    expect(asked).toEqual([])
  })

  it('is not followed elsewhere', async () => {
    const other = await freePort()
    await open([port, other])
    await listen(() => ({ status: 307, headers: { location: `http://127.0.0.1:${other}/mcp` } }))
    expect(await letIn(['hello'])).toMatchObject({ ok: false })
  })

  it('asks to sign in, and it is said that it does', async () => {
    await open()
    await listen(() => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } }))
    expect(await letIn(['hello'])).toMatchObject({
      ok: false,
      text: expect.stringMatching(/401|[Uu]nauthorized/),
    })
  })

  it('is asked again after it was gone', async () => {
    await open()
    await listen(small)
    await letIn(['hello'])
    expect((await call('hello', {})).text).toBe('hello from afar')
    await ends.pop()?.()
    expect(await call('hello', {})).toMatchObject({ ok: false })
    await listen(small)
    expect((await call('hello', {})).text).toBe('hello from afar')
  })
})
