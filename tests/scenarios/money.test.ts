import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventType, GatewayEvent, ServerFrame, SessionId } from '@countersign/contract'
import { readTrust } from '@countersign/contract/node'
import { openGateway, readConfig } from '@countersign/gateway'
import {
  connect,
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import {
  type ModelServer,
  type ScriptReply,
  type ScriptTurn,
  startModelServer,
} from '@countersign/model-servers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let other: ModelServer
const model = 'openai-compatible/scripted'
const standIn = 'stand-in/scripted'

/** Only output costs something: a cent for a thousand tokens, which is also the most of one call. */
const price = { input: 0, output: 10, maxOutput: 1_000 }

/** What the first provider answers, before it does as the message says. */
let trouble: ScriptReply[] = []

function obey({ lastUser, messages }: Pick<ScriptTurn, 'lastUser' | 'messages'>): ScriptReply {
  const [, tokens = '0', turns = '1'] = /^spend (\d+)(?: in (\d+) turns)?/.exec(lastUser) ?? []
  const done = messages.filter(({ role }) => role === 'tool').length
  const usage = { input: 100, output: Number(tokens) }
  if (done + 1 < Number(turns))
    return { text: 'Let me look.', usage, calls: [{ name: 'read_file', args: { path: 'notes.txt' } }] }
  return { text: `Done: ${lastUser}.`, usage }
}

beforeAll(async () => {
  installation = await openInstallation({ script: (turn) => trouble.shift() ?? obey(turn) })
  other = await startModelServer({ script: obey })
  mkdirSync(installation.paths.workspace, { recursive: true })
  writeFileSync(join(installation.paths.workspace, 'notes.txt'), 'bread, milk')
  gateway = await installation.start()
  await gateway.client.overrideModel(model, price)
})
afterEach(async () => {
  for (const { name, builtIn } of await gateway.client.budgets())
    if (!builtIn) await gateway.client.removeBudget(name)
})
afterAll(async () => {
  await installation.close()
  await other.close()
})

async function say(text: string, session: SessionId | null = null) {
  const admitted = await gateway.client.send({ key: crypto.randomUUID(), session, text, mode: 'auto' })
  return { session: admitted.session, run: admitted.run ?? '' }
}

async function killAndStart(): Promise<void> {
  await gateway.kill()
  gateway = await installation.start()
}

async function events<Type extends EventType>(type: Type, since = 0) {
  const all: GatewayEvent[] = await gateway.client.events(since, 1_000)
  return all.flatMap(({ body }) => (body.type === type ? [body as Extract<typeof body, { type: Type }>] : []))
}

test('a run stops at its limit, outlives a kill while it waits, and completes when it is allowed more', async () => {
  await gateway.client.setBudget({ scope: 'run', limitUsd: 0.015 })
  const { run } = await say('spend 900 in 2 turns')
  const { run: parked, approvals } = await settledRun(gateway.client, run, 'parked')
  expect(parked).toMatchObject({ parkedOn: 'approval', turns: 1 })
  expect(approvals).toMatchObject([
    { state: 'pending', card: { tier: 3, headline: `Allow $0.044 more for the budget run of ${run}` } },
  ])
  await killAndStart()
  expect((await settledRun(gateway.client, run, 'parked')).approvals).toMatchObject([{ state: 'pending' }])
  expect(
    await countersign(installation, ['approval', 'approve', approvals[0]?.code ?? '', '--yes']),
  ).toContain('Approved')
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended).toMatchObject({ reason: 'completed', text: 'Done: spend 900 in 2 turns.' })
  const calls = await gateway.client.modelCalls({ run })
  expect(calls.map(({ outcome, usd }) => [outcome, usd])).toEqual([
    ['delivered', 0.009],
    ['delivered', 0.009],
  ])
})

test('a run that is denied more ends and says why, and one within its limit never asks', async () => {
  await gateway.client.setBudget({ scope: 'run', limitUsd: 0.015 })
  const { run } = await say('spend 900 in 2 turns')
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  await countersign(installation, ['approval', 'deny', approvals[0]?.code ?? '', '--reason', 'Enough.'])
  expect((await settledRun(gateway.client, run)).run).toMatchObject({
    reason: 'budget',
    message: expect.stringContaining('Enough.') as string,
  })
  const within = await say('spend 500 in 2 turns')
  expect((await settledRun(gateway.client, within.run, 'either')).run.reason).toBe('completed')
})

test('a soft limit stops nothing and tells when a half, four fifths and all of it are spent', async () => {
  const before = (await gateway.client.status()).seq
  const { session, run } = await say('spend 0')
  await settledRun(gateway.client, run)
  await gateway.client.setBudget({ scope: 'session', limitUsd: 0.01, hard: false })
  for (const tokens of [400, 100, 300, 150, 50, 1_000]) {
    const { run: next } = await say(`spend ${tokens}`, session)
    expect((await settledRun(gateway.client, next)).run.reason).toBe('completed')
  }
  expect(
    (await events('budget.reached', before)).map(({ percent, spentUsd }) => [percent, spentUsd]),
  ).toEqual([
    [50, 0.005],
    [80, 0.008],
    [100, 0.01],
  ])
})

test('a provider that asks for a pause gets it: the run counts down, outlives a kill, and goes on by itself', async () => {
  const before = (await gateway.client.status()).seq
  trouble = [{ status: 429, retryAfter: 7 }]
  const askedAt = Date.now()
  const { run } = await say('spend 10')
  expect((await settledRun(gateway.client, run, 'parked')).run.parkedOn).toBe('retry')
  const [parked] = await events('run.parked', before)
  expect(parked).toMatchObject({ on: 'retry', retry: { attempt: 1, of: 5 } })
  const at = Date.parse(parked?.retry?.at ?? '')
  expect(at - askedAt).toBeGreaterThanOrEqual(7_000)
  await killAndStart()
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended).toMatchObject({ reason: 'completed', text: 'Done: spend 10.' })
  expect(installation.model.requests.at(-1)?.at).toBeGreaterThanOrEqual(at)
})

test('another provider takes over from one that fails, and the reply is there once', async () => {
  await gateway.client.addProvider({
    name: 'stand-in',
    kind: 'openai-compatible',
    url: other.baseUrl('openai'),
  })
  await gateway.client.overrideModel(standIn, price)
  await gateway.client.setRoute('chat', { strategy: 'fallback', models: [model, standIn] })
  const shown = new Map<number, string>()
  const onFrame = (frame: ServerFrame) => {
    if (frame.type === 'delta' && frame.kind === 'text')
      shown.set(frame.attempt, (shown.get(frame.attempt) ?? '') + frame.text)
  }
  const connection = await connect({ url: gateway.url, signer: installation.signer, since: null, onFrame })
  const cut = { text: 'Half of a reply '.repeat(50), usage: { output: 200 }, truncateAfterBytes: 4_000 }
  for (const failure of [{ status: 500 }, { ...cut, tokenDelayMs: 5 }]) {
    trouble = [failure]
    shown.clear()
    const { run, session } = await say('spend 100')
    expect((await settledRun(gateway.client, run)).run).toMatchObject({ reason: 'completed', turns: 1 })
    const { messages } = await gateway.client.session(session)
    expect(messages.map(({ text }) => text)).toEqual(['spend 100', 'Done: spend 100.'])
    // What streams may lack its end, and never has anything twice.
    const [, last = ''] = [...shown].toSorted(([one], [two]) => one - two).at(-1) ?? []
    expect('Done: spend 100.'.startsWith(last)).toBe(true)
    const calls = await gateway.client.modelCalls({ run })
    const isCut = !('status' in failure)
    expect(calls).toMatchObject([
      { ref: standIn, outcome: 'delivered', estimated: false, usd: 0.001 },
      { ref: model, outcome: isCut ? 'truncated' : 'unavailable', estimated: isCut },
    ])
    expect((calls[1]?.usd ?? 0) > 0).toBe(isCut)
  }
  connection.close()
  await gateway.client.setRoute('chat', { strategy: 'fallback', models: [model] })
})

test('work that nobody asked for may spend nothing until there is a budget for it', async () => {
  const environment = {
    COUNTERSIGN_HOME: installation.home,
    COUNTERSIGN_MODEL: 'scripted',
    COUNTERSIGN_MODEL_URL: installation.model.baseUrl('openai'),
    COUNTERSIGN_VAULT_KEY: 'file',
  }
  const config = readConfig(environment, { port: '0' })
  const inside = await openGateway({
    config,
    trust: readTrust(config.paths.trust),
    executorMain: fileURLToPath(import.meta.resolve('@countersign/executor/main')),
    write: () => undefined,
  })
  const wake = (text: string) =>
    inside.kernel.admit(inside.kernel.operator, {
      key: crypto.randomUUID(),
      session: null,
      text,
      mode: 'auto',
      requester: { kind: 'operator', id: 'desk' },
      work: { agent: 'assistant', goal: null, schedule: 'sch_nightly', unattended: true },
    })
  try {
    const asked = installation.model.requests.length
    const first = await wake('spend 100')
    const { run, approvals } = await settledRun(gateway.client, first.run ?? '', 'either')
    expect(run.parkedOn).toBe('approval')
    expect(approvals[0]?.card.headline).toMatch(/^Allow \$0\.\d+ more for the budget unattended:month$/)
    expect(installation.model.requests).toHaveLength(asked)
    await gateway.client.stopRun(run.id)
    await gateway.client.setBudget({ scope: 'unattended', limitUsd: 0.02 })
    const second = await wake('spend 100')
    expect((await settledRun(gateway.client, second.run ?? '', 'either')).run.reason).toBe('completed')
    expect((await gateway.client.verifyLedger()).ok).toBe(true)
  } finally {
    await inside.close({ stopDatabase: false })
  }
})
