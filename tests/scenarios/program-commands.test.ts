import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { countersign, type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

beforeAll(async () => {
  installation = await openInstallation({ script: ({ lastUser }) => ({ text: `You said: ${lastUser}` }) })
  gateway = await installation.start()
}, 120_000)
afterAll(() => installation?.close())

const program = (...words: string[]) => countersign(installation, ['program', ...words])
const tokenIn = (text: string) => /cs_[\w-]{43}/.exec(text)?.[0] ?? ''

test('a program is made, limited, paused, given another token and removed on the command line', async () => {
  expect(await program('list')).toContain('No program yet.')
  const added = await program(
    'add',
    'home-assistant',
    '--as',
    'trusted',
    '--daily-usd',
    '0.50',
    '--hours',
    '6-23',
  )
  const token = tokenIn(added)
  expect(added).toContain(`${gateway.url}/openai/v1`)
  expect(added).toContain('$0.50 a day · 6:00 to 23:00')
  const shown = await program('show', 'home-assistant')
  expect(shown).toContain(token.slice(-4))
  expect(shown).not.toContain(token)
  expect(await program('list')).toContain('home-assistant')
  expect(await program('limit', 'home-assistant', '--agent', 'assistant', '--agent', 'reception')).toContain(
    'assistant, reception',
  )
  expect(await program('pause', 'home-assistant')).toContain('ended what it began')
  expect(await program('list')).toContain('paused')
  await program('resume', 'home-assistant')
  const next = tokenIn(await program('rotate', 'home-assistant'))
  expect(next).not.toBe(token)
  expect(await program('revoke', 'home-assistant')).toContain('may not ask any more')
  expect(await program('list')).toContain('No program yet.')
  await expect(program('show', 'home-assistant')).rejects.toThrow(/no program home-assistant/i)
})

test.each([
  ['a name that is none', ['add', 'Home Assistant'], 'not a name for a program'],
  ['an agent that there is not', ['add', 'one', '--agent', 'nobody'], 'nobody'],
  ['a role that is none', ['add', 'one', '--as', 'operator'], 'choose from guest and trusted'],
  ['nothing to change', ['limit', 'one'], 'Say what to change'],
  ['the name of every program for a channel', [], ''],
])('refuses %s', async (_what, words, said) => {
  if (words.length > 0) return expect(program(...words)).rejects.toThrow(said)
  const channel = gateway.client.storeChannel('program', {
    kind: 'webhook',
    settings: {},
    secrets: {},
    choices: {},
  })
  await expect(channel).rejects.toThrow('name of no channel')
})

test('a program on this computer speaks MCP through the command, with its token only', async () => {
  const token = tokenIn(await program('add', 'desk'))
  const file = join(installation.home, 'token')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  const client = new Client({ name: 'desk', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', 'serve', '--token-file', file],
      env: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: installation.home },
    }),
  )
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('ask')
    const answer = await client.callTool({ name: 'ask', arguments: { question: 'Over a pipe?' } })
    expect(answer.structuredContent).toMatchObject({ answer: 'You said: Over a pipe?' })
  } finally {
    await client.close()
  }
})

test('the command says why nothing is passed on, in the words of the protocol', async () => {
  const child = spawn(process.execPath, [main, 'mcp', 'serve'], {
    env: {
      PATH: process.env['PATH'],
      COUNTERSIGN_HOME: installation.home,
      COUNTERSIGN_PROGRAM_TOKEN: `cs_${'A'.repeat(43)}`,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { id: 7, error: { message: expect.stringContaining('401') } },
  ])
})
