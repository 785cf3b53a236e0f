import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerFrame } from '@countersign/contract'
import {
  connect,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifierSays } from './verified-ledger.ts'

const day = 24 * 60 * 60_000

let installation: Installation
let gateway: GatewayProcess
let seen: number
let old: string

const say = async (text: string) => {
  const { run } = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  await settledRun(gateway.client, run ?? '')
  return run ?? ''
}

beforeAll(async () => {
  installation = await openInstallation({
    passing: true,
    script: ({ lastResults }) =>
      lastResults.length > 0 ? { text: 'Done.' } : { calls: [{ name: 'list_directory', args: {} }] },
  })
  gateway = await installation.start()
  old = await say('look')
  seen = (await gateway.client.events(0, 1))[0]?.seq ?? 0
  await gateway.stop()
  installation.pass(100 * day)
  gateway = await installation.start()
  while ((await gateway.client.run(old)).run.detailsRemovedAt === null) await sleep(250)
})
afterAll(() => installation.close())

test('an export is whole after details were removed by age', async () => {
  const lines = await new Response(await gateway.client.exportLedger()).text()
  expect(lines).toContain('retention.removed')
  const stdout = await verifierSays(installation, lines)
  expect(stdout).toContain('Ledger verified')
  expect(stdout).toContain('1 intended: 1 ok')
})

test('a client that was away for longer than events are kept is told of the gap and goes on from there', async () => {
  const frames: ServerFrame[] = []
  const connection = await connect({
    url: gateway.url,
    signer: installation.signer,
    since: seen,
    onFrame: (frame) => {
      frames.push(frame)
    },
  })
  await expect.poll(() => frames.some(({ type }) => type === 'gap')).toBe(true)
  expect(frames.filter(({ type }) => type === 'event')).toEqual([])
  const [gap] = frames.flatMap((frame) => (frame.type === 'gap' ? [frame] : []))
  expect(gap?.seq).toBeGreaterThan(seen)
  // The present is read anew, and what comes after it is followed.
  expect((await gateway.client.runs({})).map(({ id }) => id)).toContain(old)
  const next = await say('look again')
  await expect
    .poll(() =>
      frames.some(
        ({ type, ...frame }) =>
          type === 'event' &&
          'event' in frame &&
          frame.event.body.type === 'run.ended' &&
          frame.event.body.run === next,
      ),
    )
    .toBe(true)
  const numbers = frames.flatMap((frame) => (frame.type === 'event' ? [frame.event.seq] : []))
  expect(numbers).toEqual(numbers.map((_, at) => (gap?.seq ?? 0) + 1 + at))
  connection.close()
})
