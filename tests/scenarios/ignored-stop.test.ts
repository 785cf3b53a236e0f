import { globSync } from 'node:fs'
import type { RunDetail, SessionId } from '@countersign/contract'
import {
  executorOf,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const frozen = new Set<number>()

beforeAll(async () => {
  installation = await openInstallation({
    passing: true,
    script: ({ lastUser, lastResults }) => {
      if (lastUser.startsWith('then ')) return { text: `Heard: ${lastUser}` }
      if (lastResults.length > 0) return { text: `Got: ${lastResults.map(({ text }) => text).join(' | ')}` }
      const command = lastUser.startsWith('hang') ? 'touch begun; sleep 3' : 'echo here'
      return { calls: [{ name: 'execute_shell', args: { command } }] }
    },
  })
  gateway = await installation.start()
})
afterAll(async () => {
  for (const pid of frozen) process.kill(pid, 'SIGKILL')
  await installation.close()
})

async function say(text: string, session: SessionId | null = null, mode: 'auto' | 'queue' = 'auto') {
  const admitted = await gateway.client.send({ key: crypto.randomUUID(), session, text, mode })
  return { ...admitted, run: admitted.run ?? '' }
}

const lastText = async (session: SessionId) =>
  (await gateway.client.session(session)).messages.at(-1)?.text ?? ''

/** A command is under way in an executor that hears nothing any more. */
async function hang(text: string) {
  const before = begun().length
  const sent = await say(text)
  await expect.poll(() => begun().length, { timeout: 30_000 }).toBe(before + 1)
  const executor = executorOf(gateway.pid)
  process.kill(executor, 'SIGSTOP')
  frozen.add(executor)
  await gateway.client.stopRun(sent.run)
  expect((await gateway.client.run(sent.run)).run.state).toBe('running')
  return { ...sent, executor }
}

/** It shows in the view of the command, and not in the workspace. */
const begun = () => globSync('sealed/*/calls/*/changes/begun', { cwd: installation.paths.executor })

async function endedByForce(run: string): Promise<RunDetail> {
  installation.pass(30_000)
  await expect
    .poll(async () => (await gateway.client.run(run)).run.state, { timeout: 40_000 })
    .toBe('stopped')
  return settledRun(gateway.client, run)
}

test('a run whose tool hears no stop is ended, the conversation answers, and a late result changes nothing', async () => {
  const { run, session, executor } = await hang('hang')
  await say('then next', session, 'queue')
  const { run: ended, calls } = await endedByForce(run)
  expect(ended.reason).toBe('manual')
  expect(ended.message).toContain('Ended by force: it had not stopped 30 seconds after it was told to.')
  expect(calls).toMatchObject([{ state: 'unknown', outcome: 'unknown' }])
  await expect.poll(() => lastText(session), { timeout: 20_000 }).toBe('Heard: then next')

  process.kill(executor, 'SIGCONT')
  frozen.delete(executor)
  const after = await say('a command', session)
  expect((await settledRun(gateway.client, after.run)).run.text).toContain('here')
  const { run: still, calls: same } = await gateway.client.run(run)
  expect(still).toEqual(ended)
  expect(same).toEqual(calls)

  const question = (await gateway.client.questions()).find((open) => open.run === run)
  expect(question).toMatchObject({ kind: 'unknown', choices: ['done', 'not done'] })
  await gateway.client.answer(question?.id ?? '', { answer: 'not done' })
  expect((await gateway.client.run(run)).calls[0]?.outcome).toBe('failed')
}, 120_000)

test('the same over kill -9 between the stop and the end of the grace', async () => {
  const { run, session } = await hang('hang again')
  await say('then after that', session, 'queue')
  await gateway.kill()
  gateway = await installation.start()
  expect((await gateway.client.run(run)).run.state).toBe('running')
  const { calls } = await endedByForce(run)
  expect(calls).toMatchObject([{ state: 'unknown', outcome: 'unknown' }])
  await expect.poll(() => lastText(session), { timeout: 20_000 }).toBe('Heard: then after that')
  const { entries } = await gateway.client.ledger({ limit: 500 })
  const ends = entries.filter((entry) => entry.type === 'run.ended' && entry.run === run)
  expect(ends).toHaveLength(1)
}, 120_000)
