import { get } from 'node:http'
import { type GatewayEvent, helloText, type ServerFrame, type SessionId } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { generateKey, signText } from '@countersign/contract/node'
import {
  connect,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket as RawSocket } from 'ws'

let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser }) => ({ text: `You said: ${lastUser}`, chunkSize: 4, tokenDelayMs: 5 }),
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

function status(headers: Record<string, string>, path = '/v1/health'): Promise<number> {
  return new Promise((resolve, reject) => {
    get(new URL(path, gateway.url), { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}

/** Opens a socket, answers the challenge, and says how it ended. */
function knock(
  headers: Record<string, string>,
  hello: (nonce: string, id: string) => unknown,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = new RawSocket(
      `${gateway.url.replace('http', 'ws')}/v1/socket?nonce=${crypto.randomUUID()}`,
      { headers },
    )
    socket.on('unexpected-response', (_request, response) => resolve(`http ${response.statusCode}`))
    socket.on('error', () => undefined)
    socket.on('close', (code) => resolve(`closed ${code}`))
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as ServerFrame
      if (frame.type === 'challenge') socket.send(JSON.stringify(hello(frame.nonce, frame.gateway)))
      if (frame.type === 'welcome') {
        resolve('welcome')
        socket.close()
      }
    })
  })
}

const device = () => installation.identity.device
const goodHello = (nonce: string, id: string) => ({
  type: 'hello',
  device: device().id,
  signature: signText(
    device().keys.privateKey,
    helloText({ nonce, gateway: id, device: device().id, address: gateway.url }),
  ),
  since: null,
})

describe('who may speak', () => {
  test('serves its own names only', async () => {
    const port = new URL(gateway.url).port
    expect(await status({})).toBe(200)
    expect(await status({ host: `localhost:${port}` })).toBe(200)
    expect(await status({ host: `evil.example:${port}` })).toBe(401)
    expect(await status({ host: 'localhost:1' })).toBe(401)
  })

  test('refuses a page of another origin, also with the right host', async () => {
    const port = new URL(gateway.url).port
    expect(await status({ origin: `http://localhost:${port}` })).toBe(200)
    expect(await status({ origin: 'http://evil.example' })).toBe(401)
    expect(await status({ origin: 'null' })).toBe(401)
  })

  test('refuses a request without a signature, by another key, or made twice', async () => {
    expect(await status({}, '/v1/status')).toBe(401)
    const stranger = generateKey()
    const forged = createClient({
      url: gateway.url,
      signer: {
        ...installation.signer,
        sign: (text) => Promise.resolve(signText(stranger.privateKey, text)),
      },
    })
    await expect(forged.status()).rejects.toMatchObject({ code: 'not_authenticated' })
    const repeating = createClient({
      url: gateway.url,
      signer: { ...installation.signer, nonce: () => 'f'.repeat(32) },
    })
    await expect(repeating.status()).resolves.toMatchObject({ slot: 0 })
    await expect(repeating.status()).rejects.toMatchObject({ code: 'not_authenticated' })
  })

  test('refuses a request whose body is not what was signed', async () => {
    const altering = createClient({
      url: gateway.url,
      signer: installation.signer,
      fetch: (url, options) =>
        fetch(url, {
          ...options,
          ...(typeof options?.body === 'string' ? { body: options.body.replace('aaaa', 'bbbb') } : {}),
        }),
    })
    const message = { key: crypto.randomUUID(), session: null, text: 'aaaa', mode: 'auto' as const }
    await expect(altering.send(message)).rejects.toMatchObject({ code: 'not_authenticated' })
  })

  test('welcomes a device that proves its key, and nobody else', async () => {
    expect(await knock({}, goodHello)).toBe('welcome')
    expect(await knock({}, (nonce, id) => ({ ...goodHello(`${nonce}x`, id) }))).toBe('closed 1008')
    expect(
      await knock({}, () => ({ type: 'message', key: '12345678', session: null, text: 'hi', mode: 'auto' })),
    ).toBe('closed 1008')
    expect(await knock({ origin: 'http://evil.example' }, goodHello)).toBe('http 403')
    expect(await knock({ host: 'evil.example' }, goodHello)).toBe('http 403')
  })
})

describe('the live stream', () => {
  test('shows text as it comes and every event once, in order, across a restart', async () => {
    const events: GatewayEvent[] = []
    const deltas: string[] = []
    let session: SessionId | null = null
    const onFrame = (frame: ServerFrame) => {
      if (frame.type === 'event') events.push(frame.event)
      if (frame.type === 'delta') deltas.push(frame.text)
      if (frame.type === 'admitted') session = frame.session
    }
    const ended = (count: number) =>
      expect.poll(() => events.filter((event) => event.body.type === 'run.ended').length).toBe(count)

    const { seq } = await gateway.client.status()
    const first = await connect({ url: gateway.url, signer: installation.signer, since: seq, onFrame })
    first.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'a longer message that streams',
      mode: 'auto',
    })
    await ended(1)
    expect(deltas.join('').length).toBeGreaterThan(0)
    first.close()
    await first.ended

    await gateway.client.send({ key: crypto.randomUUID(), session, text: 'while away', mode: 'auto' })
    await gateway.kill()
    gateway = await installation.start()
    const second = await connect({
      url: gateway.url,
      signer: installation.signer,
      since: events.at(-1)?.seq ?? 0,
      onFrame,
    })
    await ended(2)
    second.close()
    const numbers = events.map((event) => event.seq)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => seq + 1 + index))
  })

  test('closes a client that does not read, and others go on', async () => {
    const sleepy = new RawSocket(
      `${gateway.url.replace('http', 'ws')}/v1/socket?nonce=${crypto.randomUUID()}`,
    )
    const closed = new Promise<number>((resolve) => sleepy.on('close', resolve))
    sleepy.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as ServerFrame
      if (frame.type === 'challenge') sleepy.send(JSON.stringify(goodHello(frame.nonce, frame.gateway)))
      if (frame.type === 'welcome') sleepy.pause()
    })
    await expect.poll(async () => (await gateway.client.status()).clients).toBe(1)
    const text = 'x'.repeat(90_000)
    for (let sent = 0; sent < 60; sent += 1) {
      const { run } = await gateway.client.send({
        key: crypto.randomUUID(),
        session: null,
        text,
        mode: 'auto',
      })
      await gateway.client.stopRun(run ?? '')
      if ((await gateway.client.status()).clients === 0) break
    }
    await expect.poll(async () => (await gateway.client.status()).clients).toBe(0)
    sleepy.resume()
    expect([1006, 1013]).toContain(await closed)
  })

  test('describes itself in OpenAPI 3.1', async () => {
    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      openapi: string
      paths: object
    }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/v1/approvals/{ref}/decision', '/v1/ledger/export']),
    )
  })

  test('answers a simple message', async () => {
    const { run } = await gateway.client.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'ping',
      mode: 'auto',
    })
    expect((await settledRun(gateway.client, run ?? '')).run.text).toBe('You said: ping')
  })
})
