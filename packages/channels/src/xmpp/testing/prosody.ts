/** Owns a real XMPP server for the tests: prosody on this computer, with an archive and rooms, and nothing outside. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../testing/wire.ts'

export interface ProsodyOptions {
  /** Their passwords hold their names and some more. */
  readonly accounts: readonly string[]
  readonly certificate?: { readonly key: string; readonly chain: string }
  /** Everybody in a room is shown with their address. */
  readonly openRooms?: boolean
  /** Of the virtual host. */
  readonly modules?: readonly string[]
}

export interface Prosody {
  readonly port: number
  readonly domain: string
  readonly rooms: string
  passwordOf(account: string): string
  close(): Promise<void>
}

const domain = 'localhost'
const rooms = `rooms.${domain}`

export const passwordOf = (account: string): string => `${account} <&"' horse ž`

export async function startProsody(options: ProsodyOptions): Promise<Prosody> {
  const folder = mkdtempSync(join(tmpdir(), 'prosody-'))
  const port = await freePort()
  const accounts = join(folder, 'data', domain, 'accounts')
  mkdirSync(accounts, { recursive: true })
  for (const name of options.accounts)
    writeFileSync(join(accounts, `${name}.dat`), `return { ["password"] = ${lua(passwordOf(name))} }`)
  writeFileSync(join(folder, 'prosody.cfg.lua'), configFor(folder, port, options))
  let log = ''
  const child = spawn('/usr/bin/prosody', ['-F', '--config', join(folder, 'prosody.cfg.lua')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      log = (log + bytes.toString()).slice(-10_000)
    })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      log += error.message
      resolve()
    })
  })
  for (let left = 500; !(await listens(port)); left -= 1) {
    if (left === 0 || child.exitCode !== null || child.pid === undefined)
      throw new Error(`prosody ended: ${log}`)
    await pause(30)
  }
  return {
    port,
    domain,
    rooms,
    passwordOf,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const lua = (text: string): string => JSON.stringify(text)

function configFor(folder: string, port: number, options: ProsodyOptions): string {
  const modules = options.modules ?? ['saslauth', 'tls', 'disco', 'roster', 'ping', 'mam', 'offline']
  const tls = options.certificate && [
    `ssl = { key = ${lua(options.certificate.key)}, certificate = ${lua(options.certificate.chain)} }`,
  ]
  return [
    'run_as_root = true',
    `data_path = ${lua(join(folder, 'data'))}`,
    `pidfile = ${lua(join(folder, 'prosody.pid'))}`,
    'log = { { levels = { min = "warn" }, to = "console" } }',
    'interfaces = { "127.0.0.1" }',
    `c2s_ports = { ${port} }`,
    'c2s_require_encryption = false',
    'modules_disabled = { "s2s" }',
    `modules_enabled = { ${modules.map(lua).join(', ')} }`,
    'authentication = "internal_plain"',
    'storage = "internal"',
    ...(tls ?? []),
    `VirtualHost ${lua(domain)}`,
    `Component ${lua(rooms)} "muc"`,
    'modules_enabled = { "muc_mam" }',
    'muc_room_locking = false',
    `muc_room_default_public_jids = ${options.openRooms ?? true}`,
    'muc_room_default_persistent = true',
    '',
  ].join('\n')
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
