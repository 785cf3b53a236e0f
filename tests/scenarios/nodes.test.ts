/** Another computer of the operator, from its first request to what stands in its folder, with the real node and gateway. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedBy } from '../../packages/executor/src/testing/statements.ts'
import { pairNode } from '../../packages/node/src/pairing.ts'
import { makeTestFolder, type TestFolder } from '../../packages/node/src/testing/paired-node.ts'
import { waitFor } from './assistant-scenario.ts'

const nodeMain = fileURLToPath(new URL('../../packages/node/src/main.ts', import.meta.url))
const content = 'from the assistant'

let installation: Installation
let gateway: GatewayProcess
let place: TestFolder
let program: ChildProcess | undefined

beforeAll(async () => {
  place = makeTestFolder()
  installation = await openInstallation({
    script: ({ lastResults }) =>
      lastResults.length > 0
        ? { text: `Done: ${lastResults.at(-1)?.text}` }
        : { calls: [{ name: 'device_write_file', args: { node: 'laptop', path: 'note.txt', content } }] },
  })
  gateway = await installation.start()
}, 120_000)
afterAll(async () => {
  if (program) await end(program)
  await installation?.close()
  place?.remove()
})

const ask = async () => {
  const { run } = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null as never,
    text: 'Leave a note on my laptop.',
    mode: 'auto',
  })
  return settledRun(gateway.client, run ?? '', 'either')
}

test('a computer that was let in does what the operator approved, and nothing before', async () => {
  const [before] = (await ask()).calls
  expect(before).toMatchObject({ outcome: 'invalid' })

  await pair()
  program = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', nodeMain, runCommand()], {
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitFor(async () => {
    expect((await gateway.client.nodes()).nodes).toMatchObject([{ name: 'laptop', online: true }])
  })
  const note = join(place.shared, 'note.txt')
  const asked = await ask()
  const [approval] = asked.approvals
  expect(approval).toMatchObject({ card: { tier: 3 }, state: 'pending' })
  expect(existsSync(note)).toBe(false)

  await approve(installation, gateway.client, approval?.id ?? '')
  const { calls } = await settledRun(gateway.client, asked.run.id)
  expect(calls).toMatchObject([{ tool: 'device_write_file', outcome: 'ok' }])
  expect(readFileSync(note, 'utf8')).toBe(content)
}, 120_000)

/** As `countersign node pair` there, and `countersign node approve` here. */
async function pair(): Promise<void> {
  const { promise: shown, resolve: show } = Promise.withResolvers<void>()
  const pairing = pairNode({
    paths: place.paths,
    shared: place.shared,
    address: gateway.url,
    name: 'laptop',
    platform: 'linux',
    nonce: () => randomBytes(24).toString('base64url'),
    now: () => new Date(),
    wait: () => sleep(20),
    show: () => show(),
  })
  await Promise.race([shown, pairing])
  const [request] = await gateway.client.nodePairingRequests()
  if (!request) throw new Error('The node did not ask.')
  const { trust, device } = installation.identity
  const { node, executor, key, name, platform } = request
  const at = new Date().toISOString()
  const about = {
    v: 1,
    gateway: trust.gateway.id,
    at,
    kind: 'node',
    node,
    executor,
    key,
    name,
    platform,
  } as const
  await gateway.client.stateDevice(signedBy(about, device))
  await pairing
}

function runCommand(): string {
  const { folder } = place.paths
  return JSON.stringify({ folder, platform: 'linux', version: '0', environment: {}, ask: { do: 'run' } })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
