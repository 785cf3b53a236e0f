import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { faultyReplies } from '@countersign/model-servers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let failing: boolean

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser }) =>
      (failing ? faultyReplies[lastUser] : undefined) ?? { text: `Heard: ${lastUser}` },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())
beforeEach(() => {
  failing = true
})

async function say(text: string): Promise<string> {
  const { run } = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return run ?? ''
}

async function retries(run: string) {
  const events = await gateway.client.runEvents(run, { since: 0, limit: 1_000 })
  return events.flatMap(({ body }) => (body.type === 'run.retrying' ? [body.retry] : []))
}

test.each([
  ['wrong key', 'status 401'],
  ['no credit', 'no credit left'],
  ['empty', 'The model sent an empty reply.'],
])('ends at once, with the cause, where waiting would not help: %s', async (text, cause) => {
  const run = await say(text)
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended).toMatchObject({ reason: 'error', message: expect.stringContaining(cause) })
  failing = false
  const again = await gateway.client.retryRun(run)
  expect(again.run).not.toBe(run)
  expect((await settledRun(gateway.client, again.run ?? '')).run.text).toBe(`Heard: ${text}`)
})

test.each([
  ['too often', 'status 429', 1],
  ['broken', 'status 500', 3],
  ['cut', 'reply', 3],
])('tells of every try that failed, and goes on when it is told to: %s', async (text, cause, tries) => {
  const run = await say(text)
  const { run: waiting } = await settledRun(gateway.client, run, 'parked')
  expect(waiting).toMatchObject({ parkedOn: 'retry' })
  const told = await retries(run)
  expect(told).toHaveLength(tries)
  for (const retry of told)
    expect(retry).toMatchObject({ because: expect.stringContaining(cause), model: expect.any(String) })
  // Nobody else waits for that.
  expect((await settledRun(gateway.client, await say('hello'))).run.text).toBe('Heard: hello')
  failing = false
  await gateway.client.retryRun(run)
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended).toMatchObject({ reason: 'completed', text: `Heard: ${text}` })
})

test('goes on with another model that was chosen, and stops when it is told to', async () => {
  const run = await say('too often')
  await settledRun(gateway.client, run, 'parked')
  const [first] = await retries(run)
  const provider = first?.provider ?? ''
  failing = false
  await gateway.client.retryRun(run, { model: `${provider}/another` })
  const { run: ended } = await settledRun(gateway.client, run)
  expect(ended.reason).toBe('completed')
  expect(JSON.stringify(installation.model.requests.at(-1)?.body)).toContain('"another"')

  failing = true
  const other = await say('too often')
  await settledRun(gateway.client, other, 'parked')
  await gateway.client.stopRun(other)
  expect((await settledRun(gateway.client, other)).run.reason).toBe('manual')
})
