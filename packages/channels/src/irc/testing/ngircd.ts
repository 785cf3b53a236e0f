/** Owns a real IRC server for the tests: ngircd on this computer, with a password and without penalties. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../testing/wire.ts'

export interface Ngircd {
  readonly port: number
  /** By TLS, where it has a certificate. */
  readonly tlsPort: number
  readonly password: string
  close(): Promise<void>
}

export interface NgircdOptions {
  readonly certificate?: { readonly key: string; readonly chain: string }
}

export async function startNgircd({ certificate }: NgircdOptions = {}): Promise<Ngircd> {
  const folder = mkdtempSync(join(tmpdir(), 'ngircd-'))
  const port = await freePort()
  const tlsPort = await freePort()
  const password = 'a horse of the server'
  const config = [
    '[Global]',
    'Name = irc.example.net',
    'Info = a server for tests',
    'Listen = 127.0.0.1',
    `Ports = ${port}`,
    `Password = ${password}`,
    'MotdPhrase = "Hello"',
    '[Limits]',
    'MaxConnectionsIP = 0',
    'MaxNickLength = 20',
    'MaxPenaltyTime = 0',
    '[Options]',
    'DNS = no',
    'Ident = no',
    'PAM = no',
    'IncludeDir = /nowhere',
    ...(certificate
      ? ['[SSL]', `CertFile = ${certificate.chain}`, `KeyFile = ${certificate.key}`, `Ports = ${tlsPort}`]
      : []),
  ]
  writeFileSync(join(folder, 'ngircd.conf'), `${config.join('\n')}\n`, { mode: 0o644 })
  let log = ''
  const child = spawn('/usr/sbin/ngircd', ['--nodaemon', '--config', join(folder, 'ngircd.conf')], {
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
  await listening(port, () => {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`ngircd ended: ${log}`)
  })
  return {
    port,
    tlsPort,
    password,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(port: number, check: () => void): Promise<void> {
  for (let left = 500; left > 0; left -= 1) {
    check()
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
    await pause(20)
  }
  throw new Error(`Nobody listens on port ${port}.`)
}
