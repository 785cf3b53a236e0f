import { readdirSync } from 'node:fs'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'

const wanted = 8

let installation: Installation
afterEach(() => installation.close())

const open = () =>
  openInstallation({
    script: ({ lastResults }) =>
      lastResults.length > 0
        ? { text: 'Done.' }
        : {
            calls: Array.from({ length: wanted }, (_, at) => ({
              name: 'write_file',
              args: { path: `${at}/Makefile`, content: String(at) },
            })),
          },
  })
const say = (gateway: GatewayProcess, text: string) =>
  gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
const slowly = { interval: 200 }

test('status says that the model server is gone, and since when', async () => {
  installation = await open()
  const gateway = await installation.start()
  const began = Date.now()
  await installation.model.close()
  const { run } = await say(gateway, 'hello')
  await expect.poll(async () => (await gateway.client.run(run ?? '')).run.parkedOn, slowly).toBe('retry')
  const { run: waits } = await gateway.client.run(run ?? '')
  expect(waits.retry?.provider).not.toBe('')
  const { model } = await gateway.client.status()
  expect(model).toMatchObject({ ok: false, state: 'failing', problem: expect.stringMatching(/./) })
  const since = new Date(model.since ?? 0).getTime()
  expect(since).toBeGreaterThanOrEqual(began - 1_000)
  expect(since).toBeLessThanOrEqual(Date.now())
  expect((await gateway.client.status()).model.since).toBe(model.since)
})

test('whoever asks is told that the database does not answer, and is served when it does', async () => {
  installation = await open()
  const gateway = await installation.start()
  expect((await gateway.client.status()).database).toMatchObject({ ok: true, problem: null })
  const holder = new pg.Client(installation.databaseConnection())
  await holder.connect()
  const { rows } = await holder.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname is not null',
  )
  await holder.end()
  // Nobody loses a connection, and nobody is answered.
  const stopped = [installation.databasePid() ?? 0, ...rows.map(({ pid }) => pid)].filter((pid) =>
    isAlive(pid),
  )
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  try {
    await expect(gateway.client.status()).rejects.toMatchObject({ code: 'database_unavailable' })
    const { status } = await fetch(`${gateway.url}/v1/health`)
    expect(status).toBe(200)
  } finally {
    for (const pid of stopped) wake(pid)
  }
  const back = () =>
    gateway.client.status().then(
      ({ database }) => database.ok,
      () => false,
    )
  await expect.poll(back, slowly).toBe(true)
})

test('five of many requests wait while the gateway is killed, and each call runs once after it', async () => {
  installation = await open()
  const first = await installation.start()
  const { run } = await say(first, 'much')
  const before = await settledRun(first.client, run ?? '', 'parked')
  const pending = ({ approvals }: typeof before) => approvals.filter(({ state }) => state === 'pending')
  expect(pending(before)).toHaveLength(5)
  expect(before.run.callsWaiting).toBe(wanted - 5)
  await approve(installation, first.client, pending(before)[0]?.id ?? '')
  await first.kill()

  const second = await installation.start()
  const decided = new Set<string>()
  for (;;) {
    const detail = await settledRun(second.client, run ?? '', 'either')
    if (detail.run.state === 'stopped') break
    const waiting = pending(detail)
    expect(waiting.length).toBeLessThanOrEqual(5)
    const next = waiting.find(({ id }) => !decided.has(id))
    if (!next) continue
    decided.add(next.id)
    await approve(installation, second.client, next.id)
  }
  const { run: ended, calls } = await second.client.run(run ?? '')
  expect(ended).toMatchObject({ reason: 'completed', text: 'Done.', callsWaiting: 0 })
  expect(calls.map(({ outcome }) => outcome)).toEqual(Array.from({ length: wanted }, () => 'ok'))
  const effects = readdirSync(installation.paths.workspace).map(Number)
  expect(effects.toSorted((a, b) => a - b)).toEqual(Array.from({ length: wanted }, (_, at) => at))
  expect((await second.client.verifyLedger()).ok).toBe(true)
})

/** Whoever goes on first may end the others. */
function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
