import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { NodeCommand, NodeLine } from './command-shapes.ts'
import { nodeMainPath } from './index.ts'
import { makeTestFolder, type TestFolder } from './testing/paired-node.ts'
import {
  approvedPermit,
  openScriptedGateway,
  type ScriptedGateway,
  tellWorld,
} from './testing/scripted-gateway.ts'

let gateway: ScriptedGateway
let place: TestFolder
const children = new Set<ChildProcess>()

beforeEach(async () => {
  gateway = await openScriptedGateway()
  place = makeTestFolder()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await gateway.close()
  place.remove()
})

/** As the command line starts it. */
function start(ask: NodeCommand['ask'], take: (line: NodeLine) => void = () => undefined) {
  const command = { folder: place.paths.folder, platform: 'linux', version: '1.2.3', environment: {}, ask }
  const child = spawn(process.execPath, [nodeMainPath, JSON.stringify(command)], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const lines: NodeLine[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as NodeLine
    lines.push(line)
    take(line)
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, last: lines.at(-1), lines }))
  return { child, ended }
}

const pairing = { do: 'pair', name: 'laptop' } as const

it('pairs, runs calls, tells how it does, and ends when it is told to', async () => {
  const ask = { ...pairing, address: gateway.address, shared: place.shared }
  const paired = await start(ask, (line) => {
    if (line.type === 'words') gateway.approve('studio')
  }).ended
  expect(paired).toMatchObject({ code: 0, last: { type: 'done', data: { name: 'studio' } } })
  expect(paired.lines[0]).toMatchObject({ type: 'words', words: gateway.words() })

  const running = start({ do: 'run' })
  const link = await gateway.connection()
  expect(link.ready.advert).toMatchObject({ version: '1.2.3', sandbox: { kind: 'available' }, witnessed: 0 })
  tellWorld(gateway, link)
  const wish = { tool: 'device_write_file', args: { node: 'studio', path: 'b.txt', content: 'b' } }
  expect(await link.execute(await approvedPermit(gateway, link, wish))).toMatchObject({ kind: 'done' })
  const state = await start({ do: 'status' }).ended
  expect(state.last).toMatchObject({
    type: 'done',
    data: { name: 'studio', running: { state: 'connected' }, devices: [{ name: 'host' }], complaint: null },
  })
  expect((await start({ do: 'run' }).ended).last).toMatchObject({ type: 'failed', code: 'conflict' })
  expect((await start({ do: 'forget' }).ended).last).toMatchObject({ type: 'failed', code: 'conflict' })
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0, last: { type: 'done' } })
  expect((await start({ do: 'forget' }).ended).last).toMatchObject({ data: { forgotten: true } })
})

it('says what to do where nothing is paired', async () => {
  expect(await start({ do: 'run' }).ended).toMatchObject({
    code: 3,
    last: { type: 'failed', code: 'not_found' },
  })
  expect((await start({ do: 'status' }).ended).last).toMatchObject({ data: { paired: false } })
})

it('runs though what ran before it left the number of a process that is there again', async () => {
  const ask = { ...pairing, address: gateway.address, shared: place.shared }
  await start(ask, (line) => {
    if (line.type === 'words') gateway.approve('laptop')
  }).ended
  // As after a loss of power: nobody took the status back, and another program has the number now.
  const status = { pid: process.pid, state: 'connected', reason: '', since: new Date().toISOString() }
  writeFileSync(place.paths.status, JSON.stringify(status))
  expect((await start({ do: 'status' }).ended).last).toMatchObject({ data: { running: null } })
  const running = start({ do: 'run' })
  await gateway.connection()
  running.child.kill('SIGKILL')
  await running.ended
  const again = start({ do: 'run' })
  await gateway.connection()
  again.child.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0 })
})
