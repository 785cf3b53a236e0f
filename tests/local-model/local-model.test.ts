import { randomUUID } from 'node:crypto'
import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunId, ServerFrame, SessionId } from '@countersign/contract'
import {
  connect,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestNote } from './src/notes.ts'
import { createScreen } from './src/screen.ts'
import { type LocalServer, startLocalServer } from './src/server-process.ts'
import { openTerminal } from './src/terminal.ts'
import { installedModel, requireSame } from './src/weights.ts'

const ref = 'local/tinyllama-1.1b-chat'
/** Of a machine that has other things to do; on one that has none everything comes within a minute. */
const patience = 400_000

let server: LocalServer
let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  server = await startLocalServer(await installedModel())
  installation = await openInstallation({
    script: () => ({ status: 500 }),
    // No model but the one that is added below, and only the tools that are always there.
    environment: { COUNTERSIGN_MODEL: '', COUNTERSIGN_MODEL_KEY: '', COUNTERSIGN_TOOLS: '' },
  })
  gateway = await installation.start()
})

afterAll(async () => {
  await installation?.close()
  await server?.close()
})

function say(line: string): void {
  process.stderr.write(`local model: ${line}\n`)
}

async function lastNote(): Promise<RequestNote> {
  const note = (await server.notes()).at(-1)
  if (!note) throw new Error('The server was asked for nothing.')
  return note
}

/** Lines are broken, and marks of Markdown are drawn as what they mean. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function speedOf({ firstTokenAt, lastTokenAt, tokens }: RequestNote): string {
  if (firstTokenAt === null || lastTokenAt === null || tokens < 2) return 'too short to tell'
  return `${(((tokens - 1) / (lastTokenAt - firstTokenAt)) * 1_000).toFixed(1)} tokens/s`
}

describe('the weights', () => {
  test('are refused when one byte is too many or another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-pinned-'))
    const file = join(folder, 'pinned')
    const pinned = {
      bytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    }
    await appendFile(file, 'abc')
    await requireSame(file, pinned)
    await copyFile(file, `${file}-longer`)
    await appendFile(`${file}-longer`, 'd')
    await expect(requireSame(`${file}-longer`, pinned)).rejects.toThrow('4 bytes')
    await appendFile(`${file}-other`, 'abd')
    await expect(requireSame(`${file}-other`, pinned)).rejects.toThrow('another hash')
    await rm(folder, { recursive: true })
  })
})

describe('what stands on a terminal', () => {
  test('is what was not written over, in rows as wide as it is', () => {
    const screen = createScreen(10)
    for (const part of [
      'The sea is',
      ' wide.\r\n',
      '\u001b[2m⠋ and sa\u001b',
      '[0m\r\n> ',
      '\u001b[1A\r\u001b[J',
    ])
      screen.write(part)
    screen.write('And salt\u001b[2D\u001b[Kd.\r\n> ')
    expect(screen.rows()).toEqual(['The sea is', ' wide.', 'And sad.', '>'])
  })
})

describe('a model on this machine', () => {
  test('is added by its address alone, costs nothing and is listed', async () => {
    const { provider } = await gateway.client.addProvider({
      name: 'local',
      kind: 'openai-compatible',
      url: server.baseUrl,
      timeoutMs: patience,
    })
    expect(provider.key).toBe('none')
    const listed = await gateway.client.models({ provider: 'local' })
    expect(listed.map((model) => model.ref)).toEqual([ref])
    expect(listed[0]?.price).toMatchObject({ input: 0, output: 0, source: 'local' })
  })

  test('can be chosen for conversations', async () => {
    const { route } = await gateway.client.setRoute('chat', { models: [ref] })
    expect(route).toMatchObject({ next: ref, problem: null })
  })

  test('is as small as the operator says', async () => {
    const { model } = await gateway.client.overrideModel(ref, {
      context: 2_048,
      maxOutput: 48,
      capabilities: [],
    })
    expect(model).toMatchObject({ context: 2_048, output: 48, capabilities: [], overridden: true })
    expect(model.price).toMatchObject({ input: 0, output: 0 })
  })

  test('is still what the next conversation takes', async () => {
    const routes = await gateway.client.routes()
    expect(routes.find(({ purpose }) => purpose === 'chat')).toMatchObject({ next: ref, problem: null })
    expect((await gateway.client.status()).model).toMatchObject({ provider: 'local', ok: true })
  })

  test('passes the test of its provider', async () => {
    const tested = await gateway.client.testProvider('local')
    say(
      `the test took ${tested.totalMs} ms, the first token ${tested.firstTokenMs} ms, ${speedOf(await lastNote())}`,
    )
    expect(tested).toMatchObject({ ok: true, model: ref, usd: 0, tools: null, problem: null })
    expect(tested.text).not.toBe('')
    expect(tested.tokens.output).toBeGreaterThan(0)
    expect((await lastNote()).authorization).toBe(false)
  })
})

describe('a conversation in the terminal', () => {
  test('shows the answer while it is being made', async () => {
    const terminal = openTerminal(installation.home, ['chat'])
    await terminal.until((text) => text.includes('Type a message'), 'the first line of the chat', 60_000)
    terminal.type('Write three sentences about the sea.\r')
    const began = Date.now()
    for (const until = began + patience; Date.now() < until; await sleep(100)) {
      const [latest] = await gateway.client.runs()
      if (latest?.state === 'stopped') break
    }
    const note = await lastNote()
    const [run] = await gateway.client.runs()
    expect(run, terminal.text()).toMatchObject({ state: 'stopped', reason: 'completed' })
    const { messages } = await gateway.client.session(run?.session ?? '')
    const answer = messages.at(-1)?.text ?? ''
    say(
      `in the terminal: ${note.promptTokens} tokens asked, first token after ${(note.firstTokenAt ?? 0) - note.at} ms at the server and ${(note.firstTokenAt ?? 0) - began} ms after Enter, ${note.tokens} tokens, ${speedOf(note)}`,
    )
    expect(answer.length).toBeGreaterThan(20)
    await expect
      .poll(() => lettersOf(terminal.screen().join('\n')), { timeout: patience })
      .toContain(lettersOf(answer))
    const before = terminal.written.filter(
      ({ at, text }) => at >= (note.firstTokenAt ?? 0) && at < (note.endedAt ?? 0) && lettersOf(text) !== '',
    )
    say(`${before.length} pieces with words were on the screen before the model was done`)
    expect(before.length).toBeGreaterThanOrEqual(3)
    expect(note).toMatchObject({ tools: 0, authorization: false, leftAt: null })
    await terminal.close()
  })

  test('costs nothing, and is in the books with what the server counted', async () => {
    const [call] = await gateway.client.modelCalls({ limit: '1' })
    const note = await lastNote()
    expect(call).toMatchObject({ ref, purpose: 'chat', outcome: 'delivered', usd: 0, estimated: false })
    expect(call?.tokens).toMatchObject({ input: note.promptTokens, output: note.tokens })
    expect((await gateway.client.costs()).total.usd).toBe(0)
  })
})

describe('a conversation that is archived', () => {
  test('is summarised by the model, the summary is found, and the conversation goes on', async () => {
    const { route } = await gateway.client.setRoute('summaries', { models: [ref] })
    expect(route).toMatchObject({ next: ref, problem: null })
    const [run] = await gateway.client.runs()
    if (!run) throw new Error('There is no conversation.')
    const { session } = run
    // Two messages are kept in their own words; more than that is worth a summary.
    expect(await said(session, 'And what colour is the sea?')).toBe('completed')
    const before = (await server.notes()).length
    await gateway.client.archiveSession(session)
    await expect.poll(summaryCall, { timeout: patience, interval: 500 }).toBeDefined()
    expect(await summaryCall()).toMatchObject({ ref, outcome: 'delivered', usd: 0 })
    const asked = (await server.notes())[before]
    expect(asked?.tools).toBe(0)
    const found = async () => (await gateway.client.searchHistory({ query: 'sea' }))[0]
    // Until then there are the words that do without a model.
    await expect.poll(async () => (await found())?.summary, { timeout: patience }).not.toMatch(/^Asked: /)
    const episode = await found()
    say(`the summary of ${asked?.promptTokens} tokens: ${episode?.summary}`)
    expect(episode).toMatchObject({ session, messages: 4 })
    expect(episode?.summary.length).toBeGreaterThan(10)
    expect((await gateway.client.session(session)).messages).toHaveLength(4)
    expect(await said(session, 'Say hello.')).toBe('completed')
  })
})

describe('a stop', () => {
  test('reaches the server, and nothing is made after it', async () => {
    const frames: ServerFrame[] = []
    const { url } = gateway
    const socket = await connect({
      url,
      signer: installation.signer,
      since: null,
      onFrame: (frame) => frames.push(frame),
    })
    socket.send({ key: randomUUID(), session: null, text: 'Count from one to one hundred.', mode: 'queue' })
    const run = await firstWords(frames)
    const asked = Date.now()
    await gateway.client.stopRun(run)
    await expect.poll(async () => (await lastNote()).leftAt, { timeout: patience }).not.toBeNull()
    const left = await lastNote()
    const latency = (left.leftAt ?? Number.POSITIVE_INFINITY) - asked
    say(`a stop reached the server after ${latency} ms, at token ${left.tokens}`)
    await expect.poll(async () => (await lastNote()).endedAt, { timeout: patience }).not.toBeNull()
    const later = await lastNote()
    expect(later.tokens).toBe(left.tokens)
    expect(later.lastTokenAt ?? 0).toBeLessThanOrEqual(left.leftAt ?? 0)
    const settled = await settledRun(gateway.client, run, 'stopped')
    expect(settled.run.reason).toBe('manual')
    const [call] = await gateway.client.modelCalls({ run })
    expect(call).toMatchObject({ outcome: 'cancelled', usd: 0 })
    socket.close()
  })
})

describe('what does not fit', () => {
  let message = ''

  test('is refused before the server is asked', async () => {
    const before = (await server.notes()).length
    const { run } = await gateway.client.send({
      key: randomUUID(),
      session: null,
      text: 'word '.repeat(4_000),
      mode: 'queue',
    })
    const settled = await settledRun(gateway.client, run ?? '', 'stopped')
    expect(settled.run.reason).toBe('error')
    expect((await server.notes()).length).toBe(before)
    ;({ message } = settled.run)
  })

  test('is said to be too long', () => {
    expect(message).toMatch(/tokens of this request \(the longest takes 2048\)/)
  })
})

describe('tools', () => {
  test('are sent when the operator says that it has them, and leave room in two thousand tokens', async () => {
    await gateway.client.overrideModel(ref, { capabilities: ['tools'], context: 2_048, maxOutput: 8 })
    const { run } = await gateway.client.send({
      key: randomUUID(),
      session: null,
      text: 'Say hello.',
      mode: 'queue',
    })
    const settled = await settledRun(gateway.client, run ?? '', 'stopped', patience)
    expect(settled.run).toMatchObject({ reason: 'completed' })
    expect((await lastNote()).tools).toBeGreaterThan(5)
  })
})

async function firstWords(frames: readonly ServerFrame[]): Promise<RunId> {
  for (const until = Date.now() + patience; Date.now() < until; await sleep(10)) {
    const delta = frames.find((frame) => frame.type === 'delta' && frame.text !== '')
    if (delta?.type === 'delta') return delta.run
    if (frames.some((frame) => frame.type === 'event' && frame.event.body.type === 'run.ended')) break
  }
  throw new Error(`No words came: ${JSON.stringify(frames)}`)
}

async function said(session: SessionId, text: string): Promise<string | null> {
  const { run } = await gateway.client.send({ key: randomUUID(), session, text, mode: 'queue' })
  return (await settledRun(gateway.client, run ?? '', 'stopped', patience)).run.reason
}

async function summaryCall() {
  const calls = await gateway.client.modelCalls({ limit: '20' })
  return calls.find(({ purpose, outcome }) => purpose === 'summaries' && outcome === 'delivered')
}
