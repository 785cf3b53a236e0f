import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InputMode, SessionId } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import type { ReceivedRequest } from '@countersign/model-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults, messages }) => {
      const shell = (command: string) => ({ calls: [{ name: 'execute_shell', args: { command } }] })
      if (lastUser === 'loop') return { calls: [{ name: 'list_directory', args: {} }] }
      if (lastUser.startsWith('slow')) return { text: 'word '.repeat(400), tokenDelayMs: 20, chunkSize: 5 }
      if (lastUser.startsWith('then ')) return { text: `Heard: ${lastUser}` }
      if (lastResults.length > 0)
        return { text: `Got: ${lastResults.map((result) => result.text).join(' | ')}` }
      if (lastUser === 'sleep') return shell('touch begun; sleep 600; touch late')
      // A link that leads out of the workspace asks before it is there.
      if (lastUser === 'touch') return shell('ln -s /etc/hostname touched')
      if (lastUser === 'two')
        return {
          calls: [...shell('ln -s /etc/hostname one').calls, ...shell('ln -s /etc/hostname two').calls],
        }
      if (lastUser === 'colour')
        return { calls: [{ name: 'ask_operator', args: { question: 'Which colour?' } }] }
      if (lastUser === 'bad')
        return { calls: [{ name: 'write_file', args: '{"path":"a","path":"b","content":"x"}' }] }
      return { text: `Reply ${messages.filter((message) => message.role === 'user').length}` }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

async function say(text: string, session: SessionId | null = null, mode: InputMode = 'auto') {
  const admitted = await gateway.client.send({ key: crypto.randomUUID(), session, text, mode })
  return { ...admitted, run: admitted.run ?? '' }
}
/** The request that the model got with these words last. */
async function asked(text: string): Promise<ReceivedRequest> {
  const found = () =>
    installation.model.requests.findLast(({ body }) => JSON.stringify(body).includes(`"${text}"`))
  await expect.poll(found).toBeDefined()
  return found() as ReceivedRequest
}
const inWorkspace = (name: string) => join(installation.paths.workspace, name)
const pendingOf = async (run: string) =>
  (await gateway.client.approvals({ state: 'pending', run }))[0]?.code ?? ''

test('stops a reply that is being streamed, before it is over', async () => {
  const { run } = await say('slow')
  const request = await asked('slow')
  await gateway.client.stopRun(run)
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended.reason).toBe('manual')
  await expect.poll(() => request.leftAt).not.toBeNull()
})

test('stops a command that is running, and it never finishes', async () => {
  const { run } = await say('sleep')
  // It shows in the view of the command, and not in the workspace.
  const view = () => globSync('sealed/*/calls/*/changes/begun', { cwd: installation.paths.executor })
  await expect.poll(() => view().length, { timeout: 20_000 }).toBe(1)
  await gateway.client.stopRun(run)
  const { run: ended, calls } = await settledRun(gateway.client, run)
  expect(ended.reason).toBe('manual')
  expect(calls[0]?.outcome).toBe('failed')
  expect(existsSync(inWorkspace('late'))).toBe(false)
})

test('takes a message to a parked run as steering and withdraws what waited', async () => {
  const { run, session } = await say('touch')
  await settledRun(gateway.client, run, 'parked')
  const code = await pendingOf(run)
  const steering = await say('then tell me a joke instead', session)
  expect(steering).toMatchObject({ steered: true, run })
  const { run: ended, calls } = await settledRun(gateway.client, run)
  expect(ended.text).toBe('Heard: then tell me a joke instead')
  expect(calls[0]?.outcome).toBe('withdrawn')
  expect((await gateway.client.approval(code)).approval.state).toBe('withdrawn')
  await expect(approve(installation, gateway.client, code)).rejects.toMatchObject({ code: 'conflict' })
  expect(existsSync(inWorkspace('touched'))).toBe(false)
})

test('keeps a queued message behind the parked run', async () => {
  const { run, session } = await say('touch')
  await settledRun(gateway.client, run, 'parked')
  const queued = await say('then next', session, 'queue')
  expect(queued).toMatchObject({ steered: false, run: '' })
  await gateway.client.decide(await pendingOf(run), {
    verdict: 'deny',
    reason: 'use the portal',
    stop: false,
  })
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended.text).toContain('The operator denied this: use the portal')
  await expect
    .poll(async () => (await gateway.client.session(session)).messages.at(-1)?.text)
    .toBe('Heard: then next')
})

test('keeps the order of calls that ask, whichever is approved first', async () => {
  const { run } = await say('two')
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  const [first, second] = approvals.map((approval) => approval.code)
  await approve(installation, gateway.client, second ?? '')
  await sleep(200)
  expect(existsSync(inWorkspace('one')) || existsSync(inWorkspace('two'))).toBe(false)
  await approve(installation, gateway.client, first ?? '')
  await settledRun(gateway.client, run)
  expect(existsSync(inWorkspace('one')) && existsSync(inWorkspace('two'))).toBe(true)
})

test('asks the operator and goes on with the answer', async () => {
  const { run } = await say('colour')
  await settledRun(gateway.client, run, 'parked')
  const question = (await gateway.client.questions()).find((open) => open.run === run)
  expect(question?.text).toBe('Which colour?')
  await gateway.client.answer(question?.id ?? '', { answer: 'green' })
  expect((await settledRun(gateway.client, run)).run.text).toBe('Got: green')
})

test('pauses everything and goes on where it was', async () => {
  const slow = await say('slowly')
  await asked('slowly')
  await gateway.client.pause()
  expect((await settledRun(gateway.client, slow.run, 'parked')).run.parkedOn).toBe('paused')
  const waiting = await say('hello while paused')
  expect(waiting.run).toBe('')
  expect((await gateway.client.status()).paused).not.toBeNull()
  await gateway.client.resume()
  await expect
    .poll(async () => (await gateway.client.session(waiting.session)).messages.at(-1)?.text)
    .toBe('Reply 1')
  await expect.poll(async () => (await gateway.client.run(slow.run)).run.state).toBe('running')
  await gateway.client.stopRun(slow.run)
  await settledRun(gateway.client, slow.run)
})

test('gives arguments with a duplicate key back to the model and runs nothing', async () => {
  const { run } = await say('bad')
  const { calls } = await settledRun(gateway.client, run)
  expect(calls).toMatchObject([{ outcome: 'invalid', tier: null }])
  expect(existsSync(inWorkspace('b'))).toBe(false)
})

test('takes characters that the database cannot hold', async () => {
  const { run, session } = await say('zero \0 byte')
  expect((await settledRun(gateway.client, run)).run.reason).toBe('completed')
  expect((await gateway.client.session(session)).messages[0]?.text).toBe('zero \uFFFD byte')
})

test('admits a message once, however often it is sent', async () => {
  const message = { key: crypto.randomUUID(), session: null, text: 'hello', mode: 'auto' as const }
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.client.send(message)))
  expect(new Set(answers.map((answer) => answer.input)).size).toBe(1)
  expect(new Set(answers.map((answer) => answer.session)).size).toBe(1)
})

test('ends a run that uses one tool over and over', async () => {
  const { run } = await say('loop')
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended).toMatchObject({ reason: 'limit', turns: 5 })
})

test('holds a run to the turns that its message allows', async () => {
  const message = { key: crypto.randomUUID(), session: null, text: 'loop', mode: 'auto' as const, turns: 2 }
  const { run } = await gateway.client.send(message)
  const { run: ended } = await settledRun(gateway.client, run ?? '')
  expect(ended).toMatchObject({ reason: 'limit', turns: 2, mostTurns: 2 })
  const wrong = { ...message, key: crypto.randomUUID(), turns: 0 }
  await expect(gateway.client.send(wrong)).rejects.toMatchObject({ code: 'usage' })
})

test('pauses one run over kill -9 while others go on, and resumes it', async () => {
  const { run } = await say('slow pause')
  await asked('slow pause')
  await gateway.client.pauseRun(run)
  await settledRun(gateway.client, run, 'parked')
  expect((await gateway.client.run(run)).run.parkedOn).toBe('paused')
  const other = await say('beside it')
  expect((await settledRun(gateway.client, other.run)).run.reason).toBe('completed')
  // To let everything go on is not to let this one.
  await gateway.client.pause()
  await gateway.client.resume()
  await gateway.kill()
  gateway = await installation.start()
  expect((await gateway.client.run(run)).run).toMatchObject({ state: 'parked', parkedOn: 'paused' })
  await gateway.client.resumeRun(run)
  expect((await settledRun(gateway.client, run)).run.reason).toBe('completed')
  await expect(gateway.client.pauseRun(run)).rejects.toMatchObject({ code: 'conflict' })
}, 120_000)

test('what is approved of a paused run is done when it goes on, and not before', async () => {
  const { run } = await say('touch')
  await settledRun(gateway.client, run, 'parked')
  await gateway.client.pauseRun(run)
  await approve(installation, gateway.client, await pendingOf(run))
  await expect.poll(async () => (await gateway.client.run(run)).run.parkedOn).toBe('paused')
  // The command ran over a view; the last call is the change that waited for the verdict.
  const begun = async () => (await gateway.client.run(run)).calls.at(-1)?.startedAt ?? null
  expect(await begun()).toBeNull()
  await gateway.client.resumeRun(run)
  expect((await settledRun(gateway.client, run)).run.reason).toBe('completed')
  expect(await begun()).not.toBeNull()
}, 120_000)
