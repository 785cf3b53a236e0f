/** A real calendar server for tests: radicale on this computer, with one user, a calendar and an address book. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CalendarAccount } from '@countersign/contract'

export interface CalendarServerForTests {
  readonly port: number
  readonly password: string
  /** Another port leads through a proxy. */
  account(name: string, port?: number): CalendarAccount
  /** Puts an entry there, as another program of the operator would. */
  put(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** The text of an entry; nothing where there is none. */
  get(path: string): Promise<string | undefined>
  /** The names of the entries of a collection. */
  names(collection: 'calendar' | 'contacts'): Promise<string[]>
  log(): string
  close(): Promise<void>
}

const user = 'me'
const password = 'correct horse battery'

export async function startCalendarServer(): Promise<CalendarServerForTests> {
  const folder = mkdtempSync(join(tmpdir(), 'radicale-'))
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `${user}:${password}\n`, { mode: 0o600 })
  mkdirSync(join(folder, 'collections'))
  writeFileSync(
    join(folder, 'config'),
    [
      '[server]',
      `hosts = 127.0.0.1:${port}`,
      'max_content_length = 20000000',
      '[auth]',
      'type = htpasswd',
      `htpasswd_filename = ${join(folder, 'users')}`,
      'htpasswd_encryption = plain',
      'delay = 0',
      '[storage]',
      `filesystem_folder = ${join(folder, 'collections')}`,
      '[web]',
      'type = none',
    ].join('\n'),
  )
  let log = ''
  const child: ChildProcess = spawn('radicale', ['--config', join(folder, 'config')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
    child.on('error', (error) => {
      log += String(error)
      resolve()
    })
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      log = (log + bytes.toString()).slice(-20_000)
    })
  const origin = `http://127.0.0.1:${port}`
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${origin}/${user}/${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  const expected = async (wanted: readonly number[], answer: Promise<Response>) => {
    const given = await answer
    if (!wanted.includes(given.status)) throw new Error(`${given.status} ${await given.text()}\n${log}`)
    return given
  }
  await answering(ask, ended, () => log)
  await expected([201], ask('MKCALENDAR', 'calendar/', calendarProps))
  await expected([201], ask('MKCOL', 'contacts/', contactsProps))
  return {
    port,
    password,
    account: (name, at = port) => ({
      name,
      url: `http://localhost:${at}/`,
      user,
      direction: 'both',
      receivesNew: true,
      everyMinutes: 1_440,
      secret: `calendar.${name}`,
    }),
    async put(path, text) {
      const type = path.endsWith('.vcf') ? 'text/vcard' : 'text/calendar'
      const body = text.replaceAll(/\r?\n/g, '\r\n')
      await expected([200, 201, 204], ask('PUT', path, body, { 'content-type': `${type}; charset=utf-8` }))
    },
    async remove(path) {
      await expected([200, 204], ask('DELETE', path))
    },
    async get(path) {
      const answer = await expected([200, 404], ask('GET', path))
      return answer.status === 404 ? undefined : answer.text()
    },
    async names(collection) {
      const text = await (await expected([207], ask('PROPFIND', `${collection}/`, '', { depth: '1' }))).text()
      const all = [...text.matchAll(/<href>\/me\/\w+\/([^<]+)<\/href>/g)].map(([, name = '']) => name)
      return all.toSorted()
    },
    log: () => log,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const calendarProps =
  '<?xml version="1.0"?><C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><displayname>Mine</displayname><C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>'
const contactsProps =
  '<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:A="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/><A:addressbook/></resourcetype><displayname>People</displayname></prop></set></mkcol>'

async function answering(
  ask: (method: string, path: string) => Promise<Response>,
  ended: Promise<void>,
  log: () => string,
): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  for (let left = 300; left > 0; left -= 1) {
    if (isOver) throw new Error(`radicale ended: ${log()}`)
    const answer = await ask('GET', '').catch(() => undefined)
    if (answer) return
    await sleep(100)
  }
  throw new Error(`radicale does not answer: ${log()}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
