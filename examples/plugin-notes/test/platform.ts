/**
 * The notes server as the tests need it: on this computer, with two people and a room, able to go wrong when it is told to.
 * `countersign plugin test` puts the cases for channels to it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault, Shown, TestChat, TestPlatform } from 'countersign/channels'

export const without = {
  threads: 'It has no threads.',
  bots: 'It has no programs but us.',
  presses: 'It has no buttons.',
  edits: 'Nobody changes a note.',
  deletes: 'Nobody takes a note back.',
  voice: 'It has no files.',
  forwarded: 'It does not say so.',
  'files-in': 'It has no files.',
} as const

const key = 'right-key'
const account = { id: 'us', name: 'assistant' }
const rooms = {
  ana: { id: 'with-ana', kind: 'private', title: '' },
  ben: { id: 'with-ben', kind: 'private', title: '' },
  group: { id: 'kitchen', kind: 'group', title: 'Kitchen' },
} as const

type Answer = (status: number, body: unknown, headers?: Record<string, string>) => void

export async function openPlatform(): Promise<TestPlatform> {
  const notes: object[] = []
  const shown = new Map<string, Shown[]>(Object.values(rooms).map(({ id }) => [id, []]))
  const sent = new Map<string, string>()
  const waiting = new Set<() => void>()
  let fault: Fault | undefined
  let isRepeating = false

  function note(room: TestChat, from: { id: string; name: string }, text: string, forUs: boolean): number {
    const number = notes.length + 1
    const { title } = Object.values(rooms).find(({ id }) => id === room.id) ?? { title: '' }
    notes.push({
      number,
      at: new Date(1_700_000_000_000 + number).toISOString(),
      room: { ...room, title },
      from,
      text,
      forUs,
    })
    for (const wake of waiting) wake()
    return number
  }

  function tell(after: number, request: IncomingMessage, answer: Answer): void {
    const from = isRepeating ? 0 : after
    isRepeating = false
    const found = notes.slice(from, from + 50)
    if (found.length > 0) return answer(200, found)
    const wake = () => {
      clearTimeout(timer)
      waiting.delete(wake)
      if (!request.destroyed) tell(after, request, answer)
    }
    const timer = setTimeout(() => {
      waiting.delete(wake)
      answer(200, [])
    }, 20_000)
    waiting.add(wake)
    request.once('close', () => {
      // The connection of the request, not its body.
      if (request.socket.destroyed) {
        clearTimeout(timer)
        waiting.delete(wake)
      }
    })
  }

  async function write(room: string, request: IncomingMessage, answer: Answer): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const wrong = fault
    fault = undefined
    if (wrong?.kind === 'lost-before') return void request.socket.destroy()
    if (wrong?.kind === 'refused') return answer(403, {})
    if (wrong?.kind === 'slow-down') return answer(429, {}, { 'retry-after': String(wrong.afterMs / 1_000) })
    const there = shown.get(room)
    if (!there) return answer(404, {})
    const given = JSON.parse(Buffer.concat(pieces).toString()) as { key: string; text: string }
    const id = sent.get(given.key) ?? `n${sent.size + 1}`
    if (!sent.has(given.key)) {
      sent.set(given.key, id)
      there.push({ id, text: given.text, edited: false, buttons: [], file: null })
      const own = Object.values(rooms).find((each) => each.id === room)
      if (own) note(own, account, given.text, false)
    }
    if (wrong?.kind === 'lost-after') return void request.socket.destroy()
    answer(200, { id })
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer: Answer = (status, body, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const [, room] = /^\/rooms\/([^/]+)\/notes$/.exec(url.pathname) ?? []
    if (request.headers.authorization !== `Bearer ${key}`) answer(401, {})
    else if (url.pathname === '/me') answer(200, account)
    else if (url.pathname === '/notes') tell(Number(url.searchParams.get('after')), request, answer)
    else if (room !== undefined) void write(decodeURIComponent(room), request, answer)
    else answer(404, {})
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  async function away(): Promise<void> {
    if (!server.listening) return
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }

  return {
    settings: { server: `http://127.0.0.1:${port}` },
    secrets: { credential: key },
    wrongSecrets: { credential: 'wrong-key' },
    host: `127.0.0.1:${port}`,
    people: { ana: { id: 'ana', name: 'Ana' }, ben: { id: 'ben', name: 'Ben' } },
    chats: rooms,
    nowhere: 'no-such-room',
    async says(who, chat, text, { addressed = false, answers } = {}) {
      const isAnswer = shown.get(chat.id)?.some(({ id }) => id === answers) ?? false
      return String(note({ id: chat.id, kind: chat.kind }, who, text, addressed || isAnswer))
    },
    async repeats() {
      isRepeating = true
      for (const wake of waiting) wake()
    },
    shown: (chat) => shown.get(chat.id) ?? [],
    fail: (next) => {
      fault = next
    },
    async disconnect() {
      server.closeAllConnections()
    },
    away,
    back: () => listen(port),
    close: away,
  }
}
