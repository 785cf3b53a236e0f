/**
 * Owns the world outside the sandbox: files, listeners, a process, settings of the kernel, all of them canaries, and
 * the eyes that see whether one was touched. What an attempt says of itself is only part of it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import { homedir, networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SandboxScene } from './attempt.ts'

export interface Outside {
  readonly scene: SandboxScene
  readonly hidden: readonly string[]
  /** What is not there because this host has no compiler. */
  readonly hasCompiler: boolean
  /** What has happened outside since the last time, in words. Puts the workspace back in order. */
  look(): Promise<string[]>
  /** Touches every canary from the host and says which of them nobody would have noticed. */
  blindSpots(): Promise<string[]>
  close(): Promise<void>
}

export async function openOutside(): Promise<Outside> {
  const token = `canary${randomBytes(12).toString('hex')}`
  const mark = randomBytes(6).toString('hex')
  const root = mkdtempSync(join(tmpdir(), 'prove-sandbox-'))
  const homeFolder = mkdtempSync(join(homedir(), '.prove-sandbox-'))
  const folder = join(root, 'outside')
  const workspace = join(root, 'workspace')
  const state = join(workspace, '.state')
  for (const path of [folder, state]) mkdirSync(path, { recursive: true })
  const outside = join(folder, 'canary')
  const home = join(homeFolder, 'canary')
  for (const path of [outside, home, join(state, 'canary')]) writeFileSync(path, `${token}\n`)
  writeFileSync(join(workspace, 'kept'), 'kept\n')
  symlinkSync(outside, join(workspace, 'planted'))
  symlinkSync(folder, join(workspace, 'planted-folder'))
  symlinkSync(state, join(workspace, 'planted-state'))
  const loadedMark = join(root, 'loaded-on-the-host')
  const hasCompiler = build(workspace, loadedMark)

  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const servers: Server[] = []
  const listen = async (what: string, options: ListenOptions): Promise<number> => {
    const server = createServer((socket) => {
      count(what)
      socket.on('error', () => undefined).end(`${token}\n`)
    })
    servers.push(server)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options, resolve))
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const web = async (answer: string, what: string | null): Promise<number> => {
    const server = createHttpServer((_request, response) => {
      if (what !== null) count(what)
      response.end(answer)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const unixPath = join(folder, 'host.sock')
  const abstractName = `prove-${mark}`
  const tcpPort = await listen('a TCP listener', { port: 0, host: '0.0.0.0' })
  const tcp6Port = await listen('a TCP listener of version six', { port: 0, host: '::1' }).catch(
    () => tcpPort,
  )
  await listen('a unix socket outside', { path: unixPath })
  await listen('a unix socket in the workspace', { path: join(workspace, 'host.sock') })
  await listen('a unix socket without a path', { path: `\0${abstractName}` })
  const udp = createSocket('udp4').on('message', () => count('a UDP listener'))
  await new Promise<void>((resolve) => udp.bind(0, '0.0.0.0', resolve))
  const datagrams = await startDatagrams(join(workspace, 'host-datagrams.sock'), () =>
    count('a unix socket for datagrams'),
  )
  const allowedPort = await web('ALLOWED', null)
  const forbiddenPort = await web(token, 'a place that the permit does not name')
  const canary = spawn('/bin/sh', ['-c', 'sleep 1000; :', token], {
    stdio: 'ignore',
    env: { CANARY: token },
    detached: true,
  })
  const pid = canary.pid ?? 0
  // Asleep is how it is found for as long as nobody touches it.
  while (!processText(pid).startsWith('S')) await sleep(5)
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const address = interfaces.find((one) => one.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'

  const survivor = `71.${Number.parseInt(mark.slice(0, 6), 16)}`
  const left = [`/tmp/left-${mark}`, `/dev/shm/left-${mark}`, `/var/tmp/left-${mark}`, `/run/left-${mark}`]
  const kept = new Set(readdirSync(workspace))
  const watched = (): Record<string, string> => ({
    'the files outside': treeText(folder),
    'the files at home': treeText(homeFolder),
    'the hidden part of the workspace': treeText(state),
    'a file that the workspace keeps': lineOf(join(workspace, 'kept')),
    'the settings of the kernel': settingsText(),
    'the clock':
      Math.abs(Date.now() - (performance.timeOrigin + performance.now())) < 5_000 ? 'right' : 'set',
    'the canary process': processText(pid),
  })
  let before = watched()
  const atFirst = before

  async function look(): Promise<string[]> {
    const seen: string[] = []
    for (const what of Object.keys(counts)) seen.push(`${what} was reached`)
    for (const key of Object.keys(counts)) delete counts[key]
    const after = watched()
    for (const [what, text] of Object.entries(after)) if (text !== before[what]) seen.push(`${what} changed`)
    for (const path of left) {
      if (existsSync(path)) seen.push(`${path} was left`)
      rmSync(path, { force: true })
    }
    if (existsSync(loadedMark)) seen.push('a library or script was loaded on the host')
    rmSync(loadedMark, { force: true })
    for (const name of readdirSync(workspace)) {
      const path = join(workspace, name)
      const found = lstatSync(path)
      if (found.isFile() && (found.mode & 0o6000) !== 0) seen.push(`${name} runs as its owner`)
      if (found.isBlockDevice() || found.isCharacterDevice()) seen.push(`${name} is a device`)
      if (!kept.has(name)) rmSync(path, { recursive: true, force: true })
    }
    if (await survives(survivor)) seen.push('a process outlived the sandbox')
    before = after
    return seen
  }

  return {
    scene: {
      token,
      mark,
      outside,
      home,
      folder,
      workspace,
      tcpPort,
      tcp6Port,
      udpPort: udp.address().port,
      unixPath,
      abstractName,
      pid,
      address,
      allowedPort,
      forbiddenPort,
    },
    hidden: [state],
    hasCompiler,
    look,
    async blindSpots() {
      const blind: string[] = []
      const touch = async (what: string, work: () => void): Promise<void> => {
        work()
        await sleep(50)
        if ((await look()).length === 0) blind.push(what)
      }
      const run = (text: string) => execFileSync('/usr/bin/python3', ['-c', `import socket\n${text}`])
      await touch('files outside', () => writeFileSync(join(folder, 'fresh'), ''))
      rmSync(join(folder, 'fresh'))
      await touch('files at home', () => writeFileSync(join(homeFolder, 'fresh'), ''))
      rmSync(join(homeFolder, 'fresh'))
      await touch('what is left', () => writeFileSync(left[0] ?? '', ''))
      await touch('files that run as their owner', () =>
        writeFileSync(join(workspace, 's'), '', { mode: 0o4755 }),
      )
      const ends: Record<string, string> = {
        TCP: `socket.create_connection(('127.0.0.1', ${tcpPort}))`,
        UDP: `socket.socket(2, 2).sendto(b'x', ('127.0.0.1', ${udp.address().port}))`,
        'a unix socket': `socket.socket(1).connect('${unixPath}')`,
        'a unix socket in the workspace': `socket.socket(1).connect('${join(workspace, 'host.sock')}')`,
        'a unix socket without a path': `socket.socket(1).connect('\\0${abstractName}')`,
        datagrams: `socket.socket(1, 2).sendto(b'x', '${join(workspace, 'host-datagrams.sock')}')`,
      }
      for (const [what, text] of Object.entries(ends)) await touch(what, () => void run(text))
      const living = spawn('/bin/sleep', [survivor], { stdio: 'ignore' })
      await touch('a process that stays', () => undefined)
      living.kill('SIGKILL')
      await look()
      before = { ...atFirst, ...watched() }
      return blind
    },
    async close() {
      stop(canary)
      datagrams.kill('SIGKILL')
      udp.close()
      for (const server of servers) {
        if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections()
        server.close()
      }
      rmSync(root, { recursive: true, force: true })
      rmSync(homeFolder, { recursive: true, force: true })
    },
  }
}

function build(workspace: string, loadedMark: string): boolean {
  const source = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  writeFileSync(join(workspace, 'evil.sh'), `touch ${loadedMark}\n`)
  writeFileSync(join(workspace, 'evil.py'), `open('${loadedMark}', 'w')\n`)
  writeFileSync(join(workspace, 'evil.cjs'), `require('fs').writeFileSync('${loadedMark}', '')\n`)
  try {
    execFileSync('gcc', ['-O1', '-static', '-o', join(workspace, 'escape'), source('escape.c')], {
      stdio: 'ignore',
    })
    execFileSync(
      'gcc',
      ['-shared', '-fPIC', `-DMARK="${loadedMark}"`, '-o', join(workspace, 'evil.so'), source('evil.c')],
      { stdio: 'ignore' },
    )
    return true
  } catch {
    return false
  }
}

function startDatagrams(path: string, received: () => void): Promise<ChildProcess> {
  const text = `import socket\ns = socket.socket(1, 2)\ns.bind('${path}')\nprint('ready', flush=True)\nwhile True:\n    s.recv(10)\n    print('got', flush=True)`
  const child = spawn('/usr/bin/python3', ['-c', text], { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('ready')) resolve(child)
      if (chunk.includes('got')) received()
    })
  })
}

function stop(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It is gone, which the suite has reported by then.
  }
}

function treeText(folder: string): string {
  if (!existsSync(folder)) return 'gone'
  return readdirSync(folder, { recursive: true })
    .map((name) => lineOf(join(folder, String(name))))
    .toSorted()
    .join('\n')
}

function lineOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return `${path} is gone`
  const content = found.isFile()
    ? readFileSync(path, 'utf8')
    : found.isSymbolicLink()
      ? readlinkSync(path)
      : ''
  return [path, found.mode, found.uid, found.gid, found.mtimeMs, content].join(' ')
}

function settingsText(): string {
  return ['core_pattern', 'hostname', 'domainname', 'randomize_va_space', 'panic']
    .map((name) => readFileSync(`/proc/sys/kernel/${name}`, 'utf8'))
    .join('')
}

/** Whether it lives and is neither stopped nor traced, and its priority and limits. */
function processText(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const lines = status.split('\n').filter((line) => /^(TracerPid|Cpus_allowed):/.test(line))
    return [stat[0], stat[16], ...lines, readFileSync(`/proc/${pid}/limits`, 'utf8')].join('\n')
  } catch {
    return 'gone'
  }
}

async function survives(marker: string): Promise<boolean> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const isThere = readdirSync('/proc').some((name) => /^\d+$/.test(name) && wordsOf(name).includes(marker))
    if (!isThere) return false
    await sleep(25)
  }
  return true
}

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
