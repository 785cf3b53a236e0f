/** Questions of a server, through the whole product: who is asked, what is told, and what becomes of them when nobody answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, QuestionView, RunDetail } from '@countersign/contract'
import {
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let files: string

/** Asks for what the call names, and answers with what it was told. */
const program = `
const lines = require('node:readline').createInterface({ input: process.stdin })
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const waiting = new Map()
let asked = 0
let mayAsk = false
lines.on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(result ?? error)
  if (method === 'initialize') {
    mayAsk = params.capabilities.elicitation !== undefined
    const serverInfo = { name: 'booking', version: '1' }
    return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  }
  if (method === 'tools/list')
    return say({ id, result: { tools: [{ name: 'book', description: 'Books.', inputSchema: { type: 'object' } }] } })
  if (method !== 'tools/call') return
  asked += 1
  waiting.set('q' + asked, (told) =>
    say({ id, result: { content: [{ type: 'text', text: JSON.stringify({ mayAsk, told }) }] } }))
  const field = params.arguments.field ?? 'city'
  const requestedSchema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] }
  say({ id: 'q' + asked, method: 'elicitation/create', params: { message: 'Which city, please?', requestedSchema } })
})
`

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'server-questions-'))
  writeFileSync(join(files, 'server.cjs'), program)
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: lastResults.map(({ text }) => text).join('\n---\n') }
        : lastUser.startsWith('{')
          ? { calls: [JSON.parse(lastUser)] }
          : { text: 'So be it.' },
  })
  gateway = await installation.start()
  await decided('extension', 'add', 'booking', '--files', files, '--', 'node', '/extension/server.cjs')
  await decided('extension', 'look', 'booking')
  await decided('extension', 'accept', 'booking', '--tool', 'book=1')
}, 240_000)
afterAll(async () => {
  await installation?.close()
  rmSync(files, { recursive: true, force: true })
})

async function command(...words: string[]): Promise<string> {
  return countersign(installation, ['--json', ...words]).catch(
    (error: { stdout?: string; message: string }) => {
      if (error.stdout) return error.stdout
      throw new Error(error.message)
    },
  )
}

async function decided(...words: string[]): Promise<void> {
  const code = /"code":\s*"([0-9A-Z]{4})"/.exec(await command(...words))?.[1] ?? ''
  const { approval } = await gateway.client.approval(code)
  await command('approval', 'approve', code, '--yes')
  const { calls } = await settledRun(gateway.client, approval.run)
  expect(calls[0]?.outcome).toBe('ok')
}

const text = (args: JsonObject = {}) =>
  JSON.stringify({ name: 'use_tool', args: { tool: 'booking__book', args } })

async function begin(args?: JsonObject): Promise<{ readonly run: string; readonly session: string }> {
  const sent = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: text(args),
    mode: 'auto',
  })
  return { run: sent.run ?? '', session: sent.session }
}

async function questionOf(run: string): Promise<QuestionView> {
  return vi.waitFor(
    async () => {
      const found = (await gateway.client.questions()).find((each) => each.run === run)
      if (!found) throw new Error('nothing is asked')
      return found
    },
    { timeout: 60_000, interval: 100 },
  )
}

const told = ({ calls }: RunDetail) => calls[0]?.result ?? ''
async function entriesOf(run: string): Promise<string> {
  return command('ledger', 'query', `run:${run}`, '--limit', '200')
}

test('the operator answers a question of the server, and nobody else is told', async () => {
  const { run } = await begin()
  const question = await questionOf(run)
  expect(question).toMatchObject({
    kind: 'server',
    text: 'Which city, please?',
    server: { server: 'booking', tool: 'book', form: { fields: [{ name: 'city', required: true }] } },
  })
  await expect(gateway.client.answer(question.id, { answer: 'Graz' })).rejects.toThrow(/words do not answer/)
  await expect(gateway.client.reply(question.id, { action: 'accept', values: {} })).rejects.toThrow(
    /does not fit/,
  )
  await gateway.client.reply(question.id, { action: 'accept', values: { city: 'Unterpremstätten' } })
  const ended = await settledRun(gateway.client, run)
  expect(told(ended)).toContain(
    '"mayAsk":true,"told":{"action":"accept","content":{"city":"Unterpremstätten"}}',
  )
  expect(told(ended)).toContain('[The server asked the operator, who answered it.]')
  await expect(gateway.client.reply(question.id, { action: 'decline' })).rejects.toThrow(/already answered/)
  const entries = await entriesOf(run)
  expect(entries).toContain('server.asked')
  expect(entries).toMatch(/"hash":\s*"[0-9a-f]{64}"/)
  const [recorded = ''] = /[^]*server\.told[^]{0,600}/.exec(entries) ?? []
  expect(recorded).not.toContain('{"city"')
}, 120_000)

test('it is answered and declined at the terminal', async () => {
  const first = await begin()
  await command('question', 'answer', (await questionOf(first.run)).id, '--field', 'city=Wien')
  expect(told(await settledRun(gateway.client, first.run))).toContain('"content":{"city":"Wien"}')
  const second = await begin()
  await command('question', 'decline', (await questionOf(second.run)).id)
  expect(told(await settledRun(gateway.client, second.run))).toContain('{"action":"decline"}')
}, 120_000)

test('a question for a secret is shown to nobody, and it is said', async () => {
  const { run } = await begin({ field: 'password' })
  const ended = await settledRun(gateway.client, run)
  expect(told(ended)).toContain('{"action":"decline"}')
  expect(told(ended)).toContain('seems to ask for a password')
  const entries = await entriesOf(run)
  expect(entries).toContain('server.refused')
  expect(entries).not.toContain('server.asked')
}, 120_000)

test('a message does not answer it, and a stop takes it back', async () => {
  const { run, session } = await begin()
  const question = await questionOf(run)
  await gateway.client.send({
    key: crypto.randomUUID(),
    session: session as never,
    text: 'Graz',
    mode: 'auto',
  })
  expect((await questionOf(run)).id).toBe(question.id)
  await gateway.client.stopRun(run)
  await settledRun(gateway.client, run)
  await vi.waitFor(
    async () => expect((await gateway.client.questions()).filter((each) => each.run === run)).toEqual([]),
    { timeout: 60_000, interval: 100 },
  )
  await expect(gateway.client.reply(question.id, { action: 'decline' })).rejects.toThrow(/already withdrawn/)
}, 120_000)

test('nobody is asked in an automation', async () => {
  const { schedule } = await gateway.client.addSchedule({
    name: 'Book',
    trigger: { kind: 'cron', expression: '0 3 1 1 *', zone: 'UTC' },
    does: { kind: 'prompt', text: text() },
    tierMax: 3,
  } as never)
  await gateway.client.runSchedule(schedule.id)
  const run = await vi.waitFor(
    async () => {
      const [occurrence] = await gateway.client.occurrences(schedule.id)
      expect(occurrence?.run).toBeTruthy()
      return occurrence?.run ?? ''
    },
    { timeout: 50_000, interval: 100 },
  )
  const ended = await settledRun(gateway.client, run)
  expect(told(ended)).toContain('{"action":"decline"}')
  expect(await entriesOf(ended.run.id)).not.toContain('server.asked')
}, 120_000)

test('a gateway that dies takes its question along', async () => {
  const { run } = await begin()
  const { id } = await questionOf(run)
  await gateway.kill()
  gateway = await installation.start()
  await vi.waitFor(
    async () => expect((await gateway.client.questions()).filter((each) => each.id === id)).toEqual([]),
    { timeout: 60_000, interval: 100 },
  )
  await expect(gateway.client.reply(id, { action: 'decline' })).rejects.toThrow(/already withdrawn/)
}, 180_000)
