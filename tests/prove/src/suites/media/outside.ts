/** Owns what is watched from outside: listeners, canary files, and the memory of every process that was started. */
import { createSocket } from 'node:dgram'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Watched {
  readonly port: number
  readonly canary: string
  readonly token: string
  /** What has happened since the last look, in words. */
  look(): string[]
  /** The most that one process held at once, in megabytes. */
  peakMegabytes(): number
  close(): void
}

export async function openWatched(token: string): Promise<Watched> {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    socket.on('error', () => undefined).end(`${token}\n`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const datagrams = createSocket('udp4').on('message', () => {
    calls += 1
  })
  await new Promise<void>((resolve) => void datagrams.bind(port, '127.0.0.1', () => resolve()))
  const folder = mkdtempSync(join(homedir(), '.prove-media-'))
  const canary = join(folder, 'canary')
  writeFileSync(canary, token)
  let peak = 0
  const timer = setInterval(() => {
    for (const pid of descendants(process.pid)) peak = Math.max(peak, megabytesOf(pid))
  }, 40)
  return {
    port,
    canary,
    token,
    look() {
      const seen = [
        ...(calls > 0 ? [`${calls} calls reached a listener`] : []),
        ...(readFileSync(canary, 'utf8') === token && readdirSync(folder).length === 1
          ? []
          : ['a canary was changed']),
      ]
      calls = 0
      return seen
    },
    peakMegabytes: () => peak,
    close() {
      clearInterval(timer)
      server.close()
      datagrams.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function descendants(pid: number): number[] {
  let children: number[] = []
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    children = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // Gone meanwhile.
  }
  return children.flatMap((child) => [child, ...descendants(child)])
}

/** What is its own: pages of programs and libraries are shared. */
function megabytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
