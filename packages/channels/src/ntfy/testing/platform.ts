/**
 * Owns ntfy as the tests see it: the real server, two topics that may be written to with a token, a phone that is
 * subscribed, and a door in front of it where connections can be lost.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Fault, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'

/** What the phone was sent. */
export interface PhoneNotice {
  readonly id: string
  readonly topic: string
  readonly title?: string
  readonly message: string
  readonly priority?: number
  readonly tags?: readonly string[]
  readonly click?: string
  readonly actions?: readonly { readonly action: string; readonly label: string; readonly url: string }[]
}

export interface NtfyPlatform extends TestPlatform {
  notices(): readonly PhoneNotice[]
  /** The token is not good any more. */
  revoke(): Promise<void>
}

const topics = ['alerts', 'others'] as const
const run = promisify(execFile)
const brought = fileURLToPath(new URL('../../../../../.cache/ntfy/ntfy', import.meta.url))

export async function startNtfy(): Promise<NtfyPlatform> {
  const program = [brought, '/usr/bin/ntfy'].find((path) => existsSync(path))
  if (!program) throw new Error('The server of ntfy is not here; .ci/ntfy brings it.')
  const folder = mkdtempSync(join(tmpdir(), 'ntfy-'))
  const port = await freePort()
  const server = `http://127.0.0.1:${port}`
  const config = join(folder, 'server.yml')
  writeFileSync(
    config,
    [
      `listen-http: "127.0.0.1:${port}"`,
      `base-url: "${server}"`,
      `cache-file: "${join(folder, 'cache.db')}"`,
      `auth-file: "${join(folder, 'auth.db')}"`,
      'auth-default-access: "deny-all"',
      'web-root: disable',
      'visitor-request-limit-burst: 10000',
    ].join('\n'),
  )
  writeFileSync(join(folder, 'auth.db'), '')
  const admin = async (...words: string[]) => {
    const { stdout, stderr } = await run(program, words, {
      env: { NTFY_CONFIG_FILE: config, NTFY_PASSWORD: 'correct horse battery' },
    })
    return stdout + stderr
  }
  const tokenFor = async (user: string) =>
    /tk_\w+/.exec(await admin('token', 'add', user))?.[0] ?? Promise.reject(new Error('No token was made.'))
  await admin('user', 'add', 'countersign')
  await admin('user', 'add', 'phone')
  for (const topic of topics) {
    await admin('access', 'countersign', topic, 'write')
    await admin('access', 'phone', topic, 'read')
  }
  const token = await tokenFor('countersign')
  const phone = await tokenFor('phone')

  let child = await startServer(program, config, server)
  const over = new AbortController()
  const notices: PhoneNotice[] = []
  const listening = listen(`${server}/${topics.join()}/json`, phone, notices, over.signal)
  const door = await openDoor(server)

  const nobody = { id: 'nobody', name: 'Nobody' }
  const [ana, ben] = topics.map((id): TestChat => ({ id, kind: 'private' }))
  if (!ana || !ben) throw new Error('There are two topics.')
  return {
    settings: { server: door.url, topic: ana.id },
    secrets: { token },
    people: { ana: nobody, ben: nobody },
    chats: { ana, ben, group: null },
    nowhere: 'forbidden',
    says: () => Promise.reject(new Error('Nobody can write to us there.')),
    notices: () => notices,
    shown: ({ id }) => notices.filter(({ topic }) => topic === id).map(seen),
    fail: door.fail,
    async revoke() {
      await admin('token', 'remove', 'countersign', token)
    },
    disconnect: async () => door.cut(),
    async away() {
      door.close()
      await ended(child)
    },
    async back() {
      child = await startServer(program, config, server)
      await door.open()
    },
    async close() {
      over.abort()
      door.close()
      await ended(child)
      await listening
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const seen = ({ id, message }: PhoneNotice): Shown => ({
  id,
  text: message,
  edited: false,
  buttons: [],
  file: null,
})

async function startServer(program: string, config: string, server: string): Promise<ChildProcess> {
  const child = spawn(program, ['serve', '--config', config], { stdio: ['ignore', 'pipe', 'pipe'], env: {} })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      log = (log + bytes.toString()).slice(-5_000)
    })
  for (let left = 600; left > 0 && child.exitCode === null; left -= 1) {
    const answer = await fetch(`${server}/v1/health`).catch(() => undefined)
    if (answer?.ok) return child
    await sleep(50)
  }
  child.kill('SIGKILL')
  throw new Error(`ntfy does not answer: ${log}`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

/** A phone: subscribed to the topic for as long as the test runs, and again when the server comes back. */
async function listen(url: string, token: string, into: PhoneNotice[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const since = into.at(-1)?.id ?? 'all'
      const answer = await fetch(`${url}?since=${since}`, {
        headers: { authorization: `Bearer ${token}` },
        signal,
      })
      let rest = ''
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const event: PhoneNotice & { readonly event: string } = JSON.parse(line)
          if (event.event === 'message') into.push(event)
        }
      }
    } catch {
      // The server is away, or the test is over.
      await sleep(50)
    }
  }
}

interface Door {
  readonly url: string
  fail(fault: Fault): void
  cut(): void
  close(): void
  open(): Promise<void>
}

/** Passes everything on to the server, but for the next publication that a fault is set for. */
async function openDoor(server: string): Promise<Door> {
  let fault: Fault | undefined
  const http = createServer((request, response) => {
    const now = request.method === 'POST' ? fault : undefined
    if (now) fault = undefined
    pass(request, response, now).catch(() => response.destroy())
  })

  async function pass(request: IncomingMessage, response: ServerResponse, now: Fault | undefined) {
    if (now?.kind === 'lost-before') return void response.destroy()
    if (now?.kind === 'slow-down') {
      response.writeHead(429, { 'retry-after': String(Math.ceil(now.afterMs / 1_000)) })
      return void response.end('{"code":42901,"http":429,"error":"limit reached: too many requests"}')
    }
    if (now?.kind === 'refused') {
      response.writeHead(403)
      return void response.end('{"code":40301,"http":403,"error":"forbidden"}')
    }
    const body = Buffer.concat(await Array.fromAsync(request))
    const { authorization } = request.headers
    const answer = await fetch(server + (request.url ?? '/'), {
      method: request.method ?? 'GET',
      headers: authorization ? { authorization } : {},
      ...(request.method === 'POST' ? { body } : {}),
    })
    const text = await answer.text()
    if (now?.kind === 'lost-after') return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }

  const open = (at: number) => new Promise<void>((resolve) => http.listen(at, '127.0.0.1', resolve))
  await open(0)
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    fail(next) {
      fault = next
    },
    cut: () => http.closeAllConnections(),
    close() {
      http.close()
      http.closeAllConnections()
    },
    open: () => open(port),
  }
}

function freePort(): Promise<number> {
  const server = createNetServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
