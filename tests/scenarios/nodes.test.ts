/** Another computer, as its owner meets it: the real program of a node, paired by words with the real gateway, and used by an agent. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { JsonObject, RunDetail } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeSigned, nodeWordsFor } from '../../packages/cli/src/commands/device-statement.ts'
import { nodeMainPath } from '../../packages/node/src/index.ts'

let installation: Installation
let gateway: GatewayProcess
let folder: string
let call: { readonly name: string; readonly args: JsonObject }
const children = new Set<ChildProcess>()
const shared = () => join(folder, 'shared')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-other-computer-'))
  mkdirSync(shared())
  writeFileSync(join(shared(), 'notes.txt'), 'Buy bread.')
  installation = await openInstallation({
    script: ({ lastResults }) =>
      lastResults.length > 0 ? { text: `Got: ${lastResults[0]?.text}` } : { text: 'Working.', calls: [call] },
  })
  gateway = await installation.start()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

type Line = Readonly<Record<string, unknown>> & { readonly type: string }

/** As the command line starts it. */
function startNode(ask: JsonObject, take: (line: Line) => void = () => undefined) {
  const command = { folder: join(folder, 'own'), platform: 'linux', version: '1', environment: {}, ask }
  const child = spawn(process.execPath, [nodeMainPath, JSON.stringify(command)], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  createInterface({ input: child.stdout }).on('line', (text) => take(JSON.parse(text) as Line))
  return { child, ended: once(child, 'close').then(([code]) => code as number) }
}

const online = () =>
  expect.poll(async () => (await gateway.client.nodes()).nodes.some((node) => node.online)).toBe(true)

async function asked(name: string, args: JsonObject): Promise<RunDetail> {
  call = { name, args }
  const sent = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: 'Do it there.',
    mode: 'auto',
  })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

const pendingOf = (detail: RunDetail) => {
  const [approval] = detail.approvals.filter(({ state }) => state === 'pending')
  if (!approval) throw new Error(`Nothing waits: ${JSON.stringify(detail.calls)}`)
  return approval.id
}

it('is paired when both show the same words', async () => {
  const words = Promise.withResolvers<unknown>()
  const ask = { do: 'pair', address: gateway.url, name: 'studio', shared: shared() }
  const { ended } = startNode(ask, (line) => line.type === 'words' && words.resolve(line['words']))
  const shown = await words.promise
  const [request] = await gateway.client.nodePairingRequests()
  if (!request) throw new Error('nobody asks')
  expect((await nodeWordsFor(installation.identity, request)).split(' ')).toEqual(shown)
  await gateway.client.stateDevice(nodeSigned(installation.identity, request, installation.now()))
  expect(await ended).toBe(0)
})

it('is offered to the agent, read by it, and changed once the operator approved', async () => {
  startNode({ do: 'run' })
  await online()
  const looked = await asked('device_read_file', { path: 'notes.txt' })
  const read = looked.run.state === 'parked' ? await approvedRun(looked) : looked
  expect(read.calls[0]).toMatchObject({ outcome: 'ok', result: 'Buy bread.' })
  const change = await asked('device_write_file', { path: 'notes.txt', content: 'Buy cake.' })
  expect(change.calls[0]).toMatchObject({ tier: 3, outcome: null })
  expect(readFileSync(join(shared(), 'notes.txt'), 'utf8')).toBe('Buy bread.')
  expect((await approvedRun(change)).calls[0]).toMatchObject({ outcome: 'ok' })
  expect(readFileSync(join(shared(), 'notes.txt'), 'utf8')).toBe('Buy cake.')
})

it('goes on with what it began while the gateway is killed, and tells it once', async () => {
  const argv = ['/usr/bin/dd', 'of=log.txt', 'oflag=append', 'conv=notrunc,fsync', 'bs=1']
  const detail = await asked('device_run_program', { argv, stdin: 'once.' })
  await approve(installation, gateway.client, pendingOf(detail))
  const isSent = async () => (await gateway.client.run(detail.run.id)).calls[0]?.state !== 'asked'
  await expect.poll(isSent).toBe(true)
  const { port } = new URL(gateway.url)
  await gateway.kill()
  gateway = await installation.start({}, Number(port))
  const end = await settledRun(gateway.client, detail.run.id, 'stopped', 120_000)
  expect(end.calls[0]).toMatchObject({ outcome: 'ok' })
  expect(readFileSync(join(shared(), 'log.txt'), 'utf8')).toBe('once.')
})

async function approvedRun(detail: RunDetail): Promise<RunDetail> {
  await approve(installation, gateway.client, pendingOf(detail))
  return settledRun(gateway.client, detail.run.id, 'stopped')
}
