import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type LoopbackListeners, openLoopbackListeners } from './loopback-listeners.ts'

const strangers: SocketServer[] = []
const opened: LoopbackListeners[] = []
const make = (): Server => createServer((_request, response) => response.end('ours'))

async function stranger(port: number, host: string): Promise<number> {
  const server = createSocketServer()
  strangers.push(server)
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(port, host, ready)
  })
  return (server.address() as AddressInfo).port
}

async function open(port: number, anyNext = false): Promise<LoopbackListeners> {
  const doors = await openLoopbackListeners(port, make, anyNext)
  opened.push(doors)
  return doors
}

afterEach(async () => {
  for (const doors of opened.splice(0)) await doors.close()
  for (const server of strangers.splice(0)) await new Promise((closed) => server.close(closed))
})

const hasIPv6 = await stranger(0, '::1').then(
  () => true,
  () => false,
)

test('the port answers on 127.0.0.1', async () => {
  const { port } = await open(0)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ours')
})

test.runIf(hasIPv6)('nobody else can have the same port on ::1', async () => {
  const { port } = await open(0)
  expect(await (await fetch(`http://[::1]:${port}/`)).text()).toBe('ours')
  await expect(stranger(port, '::1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test.runIf(hasIPv6)('a port that somebody has on ::1 is refused, and 127.0.0.1 is let go again', async () => {
  const port = await stranger(0, '::1')
  await expect(open(port)).rejects.toMatchObject({
    code: 'config_invalid',
    message: `Port ${port} is in use by another program.`,
  })
  await stranger(port, '127.0.0.1')
})

test('a port that somebody has on 127.0.0.1 is refused', async () => {
  const port = await stranger(0, '127.0.0.1')
  await expect(open(port)).rejects.toMatchObject({ code: 'config_invalid' })
})

test('where the next one will do, a taken port leads to the one after it', async () => {
  const taken = await stranger(0, '127.0.0.1')
  const { port } = await open(taken, true)
  expect(port).toBeGreaterThan(taken)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ours')
})
