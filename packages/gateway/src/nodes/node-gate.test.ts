import { randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { idFrom } from '@countersign/contract'
import { generateKey, signText } from '@countersign/contract/node'
import { afterEach, expect, it } from 'vitest'
import { createNodeGate, type NodeGateParts } from './node-gate.ts'
import type { NodeLink } from './node-link.ts'
import { madeNode } from './testing/made-nodes.ts'
import { connectNode } from './testing/scripted-node.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function openGate(more: Partial<NodeGateParts> = {}) {
  const keys = generateKey()
  const gateway = { id: idFrom('gw', randomUUIDv7()), ...generateKey() }
  const node = madeNode('desk', { key: keys.publicKey })
  const opened: NodeLink[] = []
  const closed: NodeLink[] = []
  const gate = createNodeGate({
    gateway: gateway.id,
    sign: (text) => signText(gateway.privateKey, text),
    find: () => Promise.resolve(node),
    clock: () => new Date(),
    onProblem: (problem) => {
      throw problem
    },
    opened: (link) => Promise.resolve(void opened.push(link)),
    said: () => false,
    closed: (link) => closed.push(link),
    ...more,
  })
  const server = createServer()
  server.on('upgrade', (request, socket, head) =>
    gate.upgrade({ request, socket, head }, { sender: 'somebody' } as never, () => undefined),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(
    () => new Promise((done) => server.close(done)),
    () => gate.close(),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connect = () => connectNode({ url, gateway: { id: gateway.id, key: gateway.publicKey }, node, keys })
  return { node, opened, closed, connect }
}

it('a node that went away while it was let in is not there afterwards', async () => {
  const looked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let looks = 0
  const bench = await openGate({
    async find() {
      looks += 1
      if (looks === 2) {
        looked.resolve()
        await goOn.promise
      }
      return bench.node
    },
  })
  const node = await bench.connect()
  await looked.promise
  await node.cut()
  await expect.poll(() => bench.closed.length).toBe(1)
  goOn.resolve()
  const second = await bench.connect()
  await expect.poll(() => bench.opened.length).toBe(1)
  // The one that is there is the second: the first did not come after its own end.
  expect(bench.closed).not.toContain(bench.opened[0])
  await second.cut()
})

it('answers that nobody asked for are counted as what a node says of itself', async () => {
  const { connect } = await openGate({ limits: { tellingPerMinute: 5 } })
  const node = await connect()
  await node.hears('welcome')
  for (let times = 0; times < 8; times += 1) node.say({ type: 'resolved', id: 1, replies: [] })
  expect(await node.closed).toContain('too much')
})

it('answers that were asked for are not', async () => {
  let heard = 0
  const { connect } = await openGate({
    limits: { tellingPerMinute: 5 },
    said: () => {
      heard += 1
      return true
    },
  })
  const node = await connect()
  await node.hears('welcome')
  for (let times = 0; times < 20; times += 1) node.say({ type: 'resolved', id: 1, replies: [] })
  await expect.poll(() => heard).toBe(20)
  await node.cut()
})

it('a node that connects without end is refused for a while', async () => {
  const { connect } = await openGate({ limits: { openedPerMinute: 3 } })
  for (let times = 0; times < 3; times += 1) {
    const node = await connect()
    await node.hears('welcome')
    await node.cut()
  }
  const node = await connect()
  expect((await node.hears('refused')).reason).toContain('too often')
  await node.closed
})
