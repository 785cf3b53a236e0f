import type { GatewayEvent, LedgerEntryView, ServerFrame } from '@countersign/contract'
import { createLedgerFollowing } from '@countersign/contract/client'
import {
  approve,
  connect,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let installation: Installation
let first: GatewayProcess
let second: GatewayProcess

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastUser.startsWith('slow')) return { text: 'word '.repeat(40), tokenDelayMs: 50, chunkSize: 5 }
      if (lastResults.length > 0) return { text: `Got: ${lastResults[0]?.text}` }
      if (lastUser === 'shell')
        return {
          calls: [
            {
              name: 'execute_shell',
              args: { command: 'echo once >> shared.log; cat shared.log; ln -sfn /etc/hostname door' },
            },
          ],
        }
      return { text: `You said: ${lastUser}` }
    },
  })
  first = await installation.start()
  second = await installation.start()
})
afterAll(() => installation.close())

const say = (gateway: GatewayProcess, text: string) =>
  gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })

const asked = (text: string) =>
  expect
    .poll(() => installation.model.requests.some(({ body }) => JSON.stringify(body).includes(text)))
    .toBe(true)

describe('two gateways on one database', () => {
  test('take different slots and show their clients the same events', async () => {
    const status = await Promise.all([first.client.status(), second.client.status()])
    expect(new Set(status.map((one) => one.slot)).size).toBe(2)
    const events: GatewayEvent[] = []
    const deltas: string[] = []
    const onFrame = (frame: ServerFrame) => {
      if (frame.type === 'event') events.push(frame.event)
      if (frame.type === 'delta') deltas.push(frame.text)
    }
    const connection = await connect({ url: second.url, signer: installation.signer, since: null, onFrame })
    const { run } = await say(first, 'slow and live')
    await settledRun(first.client, run ?? '')
    await expect.poll(() => events.at(-1)?.body.type).toBe('run.ended')
    expect(events.map((event) => event.body.type)).toEqual([
      'input.admitted',
      'run.started',
      'turn.replied',
      'run.ended',
    ])
    expect(deltas.length).toBeGreaterThan(1)
    connection.close()
  })

  test('stream on one what the other writes to the ledger, also where no event tells of it', async () => {
    const { size: after } = await first.client.ledger({ limit: 1 })
    const came = Promise.withResolvers<readonly LedgerEntryView[]>()
    const asks = { id: 'other', after, q: 'type:profile.changed', language: 'en' as const }
    const following = createLedgerFollowing({
      ...asks,
      onEntries: (entries) => entries.length > 0 && came.resolve(entries),
    })
    const connection = await connect({
      url: second.url,
      signer: installation.signer,
      since: null,
      onFrame: following.take,
    })
    connection.followLedger(following.frame())
    const { ledger } = await first.client.setProfile({ facts: ['Lives in Graz'] })
    expect((await came.promise).map(({ seq }) => seq)).toEqual([ledger])
    connection.close()
  })

  test('decide on one what was asked on the other, and do it once', async () => {
    const { run } = await say(first, 'shell')
    const { approvals } = await settledRun(second.client, run ?? '', 'parked')
    const code = approvals[0]?.code ?? ''
    const verdicts = await Promise.allSettled([
      approve(installation, first.client, code),
      approve(installation, second.client, code),
    ])
    expect(verdicts.filter((verdict) => verdict.status === 'fulfilled')).toHaveLength(1)
    expect((await settledRun(second.client, run ?? '')).run.text).toContain('once\n\n[exit 0,')
  })

  test('stop from one a run of the other', async () => {
    const { run } = await say(first, 'slow to stop')
    await asked('slow to stop')
    await second.client.stopRun(run ?? '')
    expect((await settledRun(second.client, run ?? '')).run.reason).toBe('manual')
  })

  test('take over the runs of one that was killed', async () => {
    const { run } = await say(first, 'slow to kill')
    await asked('slow to kill')
    await first.kill()
    const { run: ended } = await settledRun(second.client, run ?? '')
    expect(ended).toMatchObject({ reason: 'completed', text: 'word '.repeat(40) })
  })
})

describe('a gateway whose database is killed', () => {
  test('starts it again, loses nothing, and goes on', async () => {
    const { run } = await say(second, 'shell')
    await settledRun(second.client, run ?? '', 'parked')
    process.kill(installation.databasePid() ?? 0, 'SIGKILL')
    const pending = () => second.client.approvals({ state: 'pending' }).catch(() => [])
    await expect.poll(async () => (await pending()).length, { interval: 200 }).toBe(1)
    const [waiting] = await pending()
    await approve(installation, second.client, waiting?.code ?? '')
    expect((await settledRun(second.client, run ?? '')).run.reason).toBe('completed')
    expect((await second.client.verifyLedger()).ok).toBe(true)
  })
})
