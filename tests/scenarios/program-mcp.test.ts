import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const asked: string[] = []
const outside = () => join(installation.home, 'outside.txt')

beforeAll(async () => {
  installation = await openInstallation({
    script({ lastUser, lastResults }) {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text.slice(0, 200)}` }
      asked.push(lastUser)
      if (lastUser.includes('outside')) return { calls: [{ name: 'read_file', args: { path: outside() } }] }
      return { text: `You said: ${lastUser}` }
    },
  })
  writeFileSync(outside(), 'a secret of somebody')
  gateway = await installation.start()
}, 120_000)
afterAll(() => installation?.close())

type Adding = Parameters<GatewayProcess['client']['addProgram']>[0]

async function program(given: Partial<Adding> = {}) {
  const { token, program: known } = await gateway.client.addProgram({
    name: `p${randomUUID().slice(0, 8)}`,
    ...given,
  })
  return { token, name: known.name }
}

async function speak<T>(token: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

interface Answer {
  readonly isError?: boolean
  readonly content?: readonly { readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: args })) as Answer

describe('a program that speaks MCP', () => {
  test('asks, goes on, searches and lists what is its own', async () => {
    const word = randomUUID()
    const other = await program()
    await speak(other.token, (client) => call(client, 'ask', { question: `Of another: ${word}` }))
    const { token } = await program()
    await speak(token, async (client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).toSorted()).toEqual([
        'ask',
        'get_answer',
        'list_calls',
        'list_conversations',
        'list_waiting',
        'propose_call',
        'search',
      ])
      const first = await call(client, 'ask', { question: `Hello ${word}` })
      expect(first.structuredContent).toMatchObject({ answer: `You said: Hello ${word}`, state: 'ended' })
      const conversation = first.structuredContent?.['conversation']
      const second = await call(client, 'ask', { question: 'And now?', conversation })
      expect(second.structuredContent).toMatchObject({ conversation, answer: 'You said: And now?' })
      const listed = await call(client, 'list_conversations')
      expect(listed.structuredContent?.['conversations']).toHaveLength(1)
      const found = await call(client, 'search', { words: word })
      expect(found.structuredContent?.['matches']).toHaveLength(2)
      expect(JSON.stringify(found)).not.toContain('Of another')
    })
  })

  test('proposes the calls that were opened to it, and each passes the door', async () => {
    const { token, name } = await program({
      role: 'trusted',
      private: true,
      limits: { tools: ['read_file'] },
    })
    await speak(token, async (client) => {
      const opened = await call(client, 'list_calls')
      expect(opened.structuredContent).toMatchObject({ calls: [{ name: 'read_file' }] })
      const refused = await call(client, 'propose_call', { tool: 'list_notes' })
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/may not propose/) }],
      })
      const before = asked.length
      const proposed = await call(client, 'propose_call', {
        tool: 'read_file',
        arguments: { path: outside() },
      })
      expect(proposed.structuredContent).toMatchObject({ state: 'waiting' })
      const code = String(proposed.structuredContent?.['approval'])
      const detail = await gateway.client.approval(code)
      expect(JSON.parse(detail.subject)).toMatchObject({ requester: { kind: 'peer', id: `program/${name}` } })
      const waiting = await call(client, 'list_waiting')
      expect(waiting.structuredContent).toMatchObject({ waiting: [{ approval: code }] })
      await approve(installation, gateway.client, code)
      await settledRun(gateway.client, detail.approval.run)
      const ended = await call(client, 'get_answer', { question: proposed.structuredContent?.['question'] })
      expect(ended.structuredContent).toMatchObject({ state: 'ended' })
      expect(String(ended.structuredContent?.['answer'])).toContain('a secret of somebody')
      // No model took part.
      expect(asked).toHaveLength(before)
    })
  })

  test('is held to its tier, and hears nothing private that was not opened to it', async () => {
    const looks = await program({ role: 'trusted', limits: { tools: ['read_file', 'list_notes'], tier: 0 } })
    await speak(looks.token, async (client) => {
      const refused = await call(client, 'propose_call', {
        tool: 'read_file',
        arguments: { path: outside() },
      })
      expect(refused.structuredContent).toMatchObject({ state: 'ended' })
      expect(String(refused.structuredContent?.['answer'])).toMatch(/not done|private/)
      expect(String(refused.structuredContent?.['answer'])).not.toContain('a secret')
      const notes = await call(client, 'propose_call', { tool: 'list_notes' })
      expect(String(notes.structuredContent?.['answer'])).toMatch(/may hold something private/)
    })
    expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
  })

  test('sees nothing of what another asked', async () => {
    const one = await program()
    const other = await program()
    const question = await speak(one.token, async (client) => {
      const answer = await call(client, 'ask', { question: 'Mine.' })
      return answer.structuredContent
    })
    await speak(other.token, async (client) => {
      expect(await call(client, 'get_answer', { question: question?.['question'] })).toMatchObject({
        isError: true,
      })
      const led = await call(client, 'ask', {
        question: 'Into theirs?',
        conversation: question?.['conversation'],
      })
      expect(led.structuredContent?.['conversation']).not.toBe(question?.['conversation'])
    })
  })

  test('is nobody without its token', async () => {
    for (const token of ['cs_', `cs_${'A'.repeat(43)}`])
      await expect(speak(token, async () => 'in')).rejects.toThrow()
  })
})

describe('the conformance suite of the protocol', () => {
  let proxy: Server
  let address: string
  let folder: string

  /** The suite cannot send a token: this adds it, and passes everything else on as it came. */
  beforeAll(async () => {
    const { token } = await program({ limits: { messagesPerHour: 1_000 } })
    const { port } = new URL(gateway.url)
    folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    proxy = createServer((incoming, outgoing) => {
      // A name that is ours stays ours, and any other stays as it is.
      const host = incoming.headers.host?.replace(/:\d+$/, `:${port}`)
      const origin = incoming.headers.origin?.replace(
        /^(http:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/,
        `$1:${port}`,
      )
      const headers = {
        ...incoming.headers,
        host,
        ...(origin === undefined ? {} : { origin }),
        authorization: `Bearer ${token}`,
      }
      const sent = request(
        { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        },
      )
      sent.on('error', () => outgoing.destroy())
      incoming.pipe(sent)
    })
    await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
  })
  afterAll(() => {
    proxy?.closeAllConnections()
    proxy?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const suite = join(
    dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
    'dist/index.js',
  )

  async function run(scenario: string): Promise<{ readonly code: number; readonly text: string }> {
    try {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [suite, 'server', '--url', address, '--scenario', scenario],
        { cwd: folder, timeout: 60_000 },
      )
      return { code: 0, text: stdout + stderr }
    } catch (error) {
      const failed = error as { readonly code?: number; readonly stdout?: string; readonly stderr?: string }
      return { code: failed.code ?? 1, text: `${failed.stdout}${failed.stderr}` }
    }
  }

  // The other scenarios of this version want the tools, resources, prompts and capabilities of a server that is made for
  // them; this one declares none of those.
  const fitting = [
    'server-initialize',
    'ping',
    'tools-list',
    'dns-rebinding-protection',
    'server-sse-polling',
    'server-sse-multiple-streams',
  ]
  test.each(fitting)('passes %s', async (scenario) => {
    const { code, text } = await run(scenario)
    expect(code, text).toBe(0)
    expect(text).not.toMatch(/[1-9]\d* failed/)
  })
})
