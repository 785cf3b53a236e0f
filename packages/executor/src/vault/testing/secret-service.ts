/** A Secret Service of its own: a private bus and a keyring with nothing in it, for as long as a test runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SecretService {
  /** Where programs that look for a session bus find it. */
  readonly address: string
  stop(): Promise<void>
}

export const hasSecretService = ['dbus-daemon', 'gnome-keyring-daemon'].every(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
)

export async function startSecretService(): Promise<SecretService> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-keyring-'))
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(bus.stdout, 'data')) as [Buffer]
  const address = line.toString().trim()
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { PATH: '/usr/bin:/bin', HOME: folder, XDG_RUNTIME_DIR: folder, DBUS_SESSION_BUS_ADDRESS: address },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  daemon.stdin.end('password of the test')
  await named(address)
  return {
    address,
    async stop() {
      for (const child of [daemon, bus]) await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function named(address: string): Promise<void> {
  const call = ['--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner']
  for (let waited = 0; waited < 10_000; waited += 50) {
    const { stdout } = spawnSync(
      'dbus-send',
      [`--bus=${address}`, ...call, 'string:org.freedesktop.secrets'],
      { encoding: 'utf8' },
    )
    if (stdout.includes('true')) return
    await sleep(50)
  }
  throw new Error('The Secret Service did not start.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
