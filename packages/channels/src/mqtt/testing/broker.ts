/** Owns a real broker for tests: mosquitto on this computer, with a password file, who may read what, and a memory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Broker {
  readonly port: number
  stop(): Promise<void>
  start(): Promise<void>
  /** With nothing of what it knew. */
  forget(): Promise<void>
  close(): Promise<void>
}

export interface BrokerUser {
  readonly name: string
  readonly password: string
  /** Lines of an access list. */
  readonly may: readonly string[]
}

const run = promisify(execFile)

export async function startBroker(users: readonly BrokerUser[]): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  const memory = mkdtempSync(join(folder, 'memory-'))
  const at = (name: string) => join(folder, name)
  const port = await freePort()
  writeFileSync(at('passwords'), '')
  for (const { name, password } of users)
    await run('mosquitto_passwd', ['-b', at('passwords'), name, password])
  writeFileSync(
    at('access'),
    users.flatMap(({ name, may }) => [`user ${name}`, ...may.map((line) => `topic ${line}`), '']).join('\n'),
  )
  writeFileSync(
    at('mosquitto.conf'),
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${at('passwords')}`,
      `acl_file ${at('access')}`,
      'persistence true',
      `persistence_location ${memory}/`,
      // It would drop what comes after the first thousand that nobody has read yet.
      'max_queued_messages 0',
      'log_dest stderr',
      // Otherwise it would look for the folder as another user where the tests run as root.
      'user root',
    ].join('\n'),
  )
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = spawn('/usr/sbin/mosquitto', ['-c', at('mosquitto.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    started.stderr.on('data', (bytes: Buffer) => {
      log = (log + bytes.toString()).slice(-5_000)
    })
    child = started
    for (let left = 1_000; left > 0 && started.exitCode === null; left -= 1) {
      if (await isListening(port)) return
      await sleep(10)
    }
    throw new Error(`mosquitto does not answer: ${log}`)
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const last = child
    child = undefined
    if (!last || last.exitCode !== null || last.signalCode !== null) return
    const exit = new Promise((resolve) => last.once('exit', resolve))
    last.kill(signal)
    await exit
  }

  await start()
  return {
    port,
    start,
    stop,
    async forget() {
      await stop()
      rmSync(join(memory, 'mosquitto.db'), { force: true })
      await start()
    },
    async close() {
      await stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
