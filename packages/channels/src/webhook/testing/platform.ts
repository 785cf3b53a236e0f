/**
 * Owns web hooks as the tests see them: a program that signs what it sends and tries again until it is taken, as Standard
 * Webhooks demand of a sender, and a server that checks what it is sent and takes each id once, as they demand of a receiver.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { WebAnswer, WebRequest } from '../../frame/protocol.ts'
import type { Fault, Person, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'

export interface WebhookPlatform extends TestPlatform {
  /** Every request that arrived at the receiver, also those that it did not take. */
  readonly arrived: readonly Arrived[]
  /** What the receiver answers to the next one. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
}

export interface Arrived {
  readonly id: string
  readonly type: string
  readonly chat: string | null
  readonly text: string
}

export const incoming = `whsec_${Buffer.from('what comes in is signed with it').toString('base64')}`
export const outgoing = `whsec_${Buffer.from('what goes out is signed with it').toString('base64')}`
const pausesMs = { first: 20, most: 1_000 }
/** Whoever sends is asked to come back later. */
const tooManyRequests = 429

/** As a sender signs. */
export function signedRequest(
  body: string,
  { id = `msg_${randomUUID()}`, at = new Date(), secret = incoming } = {},
): WebRequest {
  return {
    method: 'POST',
    query: '',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body: new TextEncoder().encode(body),
  }
}

export async function startWebhook(): Promise<WebhookPlatform> {
  const receiver = await startReceiver()
  const over = new AbortController()
  const turns = new Map<string, Promise<void>>()
  const said: (readonly [string, string])[] = []
  let ask: (request: WebRequest) => Promise<WebAnswer> = () => Promise.reject(new Error('Nobody is there.'))

  /** Until it is taken, or will never be. */
  async function deliver(id: string, body: string): Promise<void> {
    for (let pause = pausesMs.first; !over.signal.aborted; pause = Math.min(pause * 2, pausesMs.most)) {
      const { status } = await ask(signedRequest(body, { id }))
      if (status < 500 && status !== tooManyRequests) return
      await sleep(pause)
    }
  }

  const chat = (name: string): TestChat => ({ id: `hook/${name}`, kind: 'private' })
  const person = (name: string): Person => ({ id: `hook/${name}`, name })
  return {
    settings: { source: 'hook', url: receiver.url },
    secrets: { secret: incoming, sending: outgoing },
    people: { ana: person('ana'), ben: person('ben') },
    chats: { ana: chat('ana'), ben: chat('ben'), group: null },
    nowhere: 'elsewhere',
    joins: (number) => ({ who: person(`person-${number}`), chat: chat(`person-${number}`) }),
    arrived: receiver.arrived,
    answer: receiver.answer,
    reach(way) {
      ask = way
    },
    says(who, { id: place }, text) {
      const id = `msg_${randomUUID()}`
      const [from, to] = [who.id, place].map((one) => one.slice('hook/'.length))
      const body = JSON.stringify({ text, from, chat: to, timestamp: new Date().toISOString() })
      said.push([id, body])
      const turn = (turns.get(place) ?? Promise.resolve()).then(() => deliver(id, body))
      turns.set(place, turn)
      return Promise.resolve(id)
    },
    async repeats() {
      for (const [id, body] of said) await deliver(id, body)
    },
    shown({ id }) {
      return receiver.taken.filter(({ chat: place }) => `hook/${place}` === id).map(shownAs)
    },
    fail: receiver.fail,
    disconnect: async () => receiver.cut(),
    away: receiver.close,
    back: receiver.open,
    async close() {
      over.abort()
      await Promise.all(turns.values())
      await receiver.close()
    },
  }
}

const shownAs = ({ id, text }: Arrived): Shown => ({ id, text, edited: false, buttons: [], file: null })

const Told = z.strictObject({
  type: z.enum(['message', 'approval.waiting', 'run.ended', 'notice', 'reminder']),
  timestamp: z.iso.datetime(),
  data: z.strictObject({ chat: z.string().nullable(), text: z.string() }),
})

async function startReceiver() {
  const key = new Webhook(outgoing)
  const arrived: Arrived[] = []
  const taken: Arrived[] = []
  let fault: Fault | undefined
  let next: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = fault
    fault = undefined
    const told = next
    next = undefined
    if (now?.kind === 'lost-before') return void response.destroy()
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const { type, data } = Told.parse(key.verify(body, headers))
    const one = { id: headers['webhook-id'] ?? '', type, ...data }
    arrived.push(one)
    if (told) return void response.writeHead(told.status, told.headers).end('no')
    if (now?.kind === 'slow-down')
      return void response
        .writeHead(tooManyRequests, { 'retry-after': String(Math.ceil(now.afterMs / 1_000)) })
        .end()
    if (now?.kind === 'refused') return void response.writeHead(410).end()
    if (!taken.some(({ id }) => id === one.id)) taken.push(one)
    if (now?.kind === 'lost-after') return void response.destroy()
    response.writeHead(200).end()
  }

  const http = createServer((request, response) => {
    take(request, response).catch(() => response.writeHead(401).end())
  })
  const listen = (at: number) => new Promise<void>((resolve) => http.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/answers`,
    arrived,
    taken,
    answer(status: number, headers: Readonly<Record<string, string>> = {}) {
      next = { status, headers }
    },
    fail(one: Fault) {
      fault = one
    },
    cut: () => http.closeAllConnections(),
    async close() {
      const closed = new Promise((resolve) => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
    open: () => listen(port),
  }
}
