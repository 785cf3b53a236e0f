import { randomUUIDv7 } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { idFrom, type JsonObject, type Permit, type ResolveReply } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExecutorClient, executorMainPath, startExecutor } from './index.ts'
import { createTestHost, type PermitRequest, sealTestPermit, type TestHost } from './testing/host.ts'

let host: TestHost
let client: ExecutorClient
let recorder: Server
let requests: string[]
let origin: string

beforeAll(async () => {
  requests = []
  recorder = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else response.end('hello')
  })
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  const { port } = recorder.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  host = createTestHost({ allowPrivate: [{ host: '127.0.0.1', port }], ports: [] })
  client = await startExecutor({ options: host.options, mainPath: executorMainPath })
  client.setWorld(host.world)
})

afterAll(async () => {
  await client.close()
  recorder.close()
  host.remove()
})

const resolve = async (tool: string, args: string): Promise<ResolveReply> => {
  const resolved = await client.resolve([{ tool, args }])
  if (resolved.kind !== 'resolved' || !resolved.replies[0]) throw new Error('no reply')
  return resolved.replies[0]
}
const run = idFrom('run', randomUUIDv7())
const permitFor = (tool: string, args: JsonObject, more: Partial<PermitRequest> = {}): Promise<Permit> =>
  sealTestPermit(host, { tool, args, run, ...more }, resolve)
const use = async (permit: Permit) => (await client.execute([permit]))[0]
/** It shows in the view of the command, and not in the workspace. */
const hasBegun = ({ options }: TestHost) =>
  globSync('sealed/*/calls/*/changes/begun', { cwd: dirname(options.replayFile) }).length > 0
/** The permit for what a program changed. */
function takingOver(outcome: Awaited<ReturnType<typeof use>>, more: Partial<PermitRequest> = {}) {
  const next = outcome?.kind === 'done' ? outcome.result.next : undefined
  if (!next) throw new Error('nothing is held')
  return permitFor(next.tool, JSON.parse(next.args) as JsonObject, more)
}

describe('an executor process', () => {
  it('says who it is and that it has a sandbox', () => {
    const { executor, sandbox } = client.ready()
    expect(executor).toBe(host.identity.trust.executor.id)
    expect(sandbox).toEqual({ kind: 'available', name: 'bubblewrap' })
  })

  it('reads a file of the workspace', async () => {
    writeFileSync(join(host.workspace, 'note.txt'), 'hello')
    const outcome = await use(await permitFor('read_file', { path: 'note.txt' }))
    expect(outcome).toMatchObject({ kind: 'done', result: { ok: true, text: 'hello' } })
  })

  it('writes a file and takes it back', async () => {
    const outcome = await use(await permitFor('write_file', { path: 'deep/new.txt', content: 'one' }))
    expect(readFileSync(join(host.workspace, 'deep/new.txt'), 'utf8')).toBe('one')
    if (outcome?.kind !== 'done' || !outcome.result.undo) throw new Error('no undo')
    const { tool, args } = outcome.result.undo
    expect(await use(await permitFor(tool, JSON.parse(args) as JsonObject))).toMatchObject({
      result: { ok: true },
    })
    expect(existsSync(join(host.workspace, 'deep/new.txt'))).toBe(false)
  })

  it('puts earlier content back, but not over a later change', async () => {
    writeFileSync(join(host.workspace, 'kept.txt'), 'before')
    const outcome = await use(await permitFor('write_file', { path: 'kept.txt', content: 'after' }))
    if (outcome?.kind !== 'done' || !outcome.result.undo) throw new Error('no undo')
    const { tool, args } = outcome.result.undo
    writeFileSync(join(host.workspace, 'kept.txt'), 'by hand')
    expect(await resolve(tool, args)).toMatchObject({ kind: 'invalid' })
    writeFileSync(join(host.workspace, 'kept.txt'), 'after')
    await use(await permitFor(tool, JSON.parse(args) as JsonObject))
    expect(readFileSync(join(host.workspace, 'kept.txt'), 'utf8')).toBe('before')
  })

  it('lists a folder', async () => {
    mkdirSync(join(host.workspace, 'folder/inner'), { recursive: true })
    writeFileSync(join(host.workspace, 'folder/a.txt'), 'abc')
    const outcome = await use(await permitFor('list_directory', { path: 'folder', depth: 2 }))
    expect(outcome).toMatchObject({ result: { text: 'folder/a.txt (3)\nfolder/inner/' } })
  })

  it('runs a shell command over a view, without network, and takes over what it changed by another permit', async () => {
    const outcome = await use(
      await permitFor('execute_shell', {
        command: 'echo hi > made.txt; cat made.txt; wc -l < /proc/net/dev',
      }),
    )
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { ok: true, text: expect.stringMatching(/^hi\n3\n\n\[exit 0, \d+ ms\]$/) },
    })
    expect(existsSync(join(host.workspace, 'made.txt'))).toBe(false)
    expect(await use(await takingOver(outcome))).toMatchObject({ kind: 'done', result: { ok: true } })
    expect(readFileSync(join(host.workspace, 'made.txt'), 'utf8')).toBe('hi\n')
  })

  it('takes over nothing for another run, and nothing that is not held', async () => {
    const outcome = await use(await permitFor('execute_shell', { command: 'echo hi > theirs.txt' }))
    const other = await takingOver(outcome, { run: idFrom('run', randomUUIDv7()) })
    expect(await use(other)).toMatchObject({
      result: { ok: false, text: expect.stringContaining('another run') },
    })
    const args = JSON.parse((await takingOver(outcome)).subject.args) as JsonObject
    const reply = await resolve('take_over_changes', JSON.stringify({ ...args, changes: '0'.repeat(32) }))
    expect(reply).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('not held') })
    const shown = await resolve('take_over_changes', JSON.stringify({ ...args, bytes: 1 }))
    expect(shown).toMatchObject({ kind: 'invalid', reason: 'This is not what the program changed.' })
    expect(existsSync(join(host.workspace, 'theirs.txt'))).toBe(false)
  })

  it('refuses to take over a hook that only the gateway sealed', async () => {
    const command = 'mkdir -p .git/hooks; echo no > .git/hooks/pre-commit'
    const outcome = await use(await permitFor('execute_shell', { command }))
    const permit = await takingOver(outcome, { sealBy: 'gateway' })
    expect(await use(permit)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('device') })
    expect(existsSync(join(host.workspace, '.git'))).toBe(false)
  })

  it('binds the programs and scripts that a command names', async () => {
    writeFileSync(join(host.workspace, 'script.sh'), 'echo script')
    const reply = await resolve('execute_shell', '{"command":"ls -l && bash script.sh > out.txt"}')
    if (reply.kind !== 'resolved') throw new Error(reply.reason)
    const { resources } = reply.resolution
    expect(
      resources.map((item) => (item.type === 'exec' ? item.argv[0] : item.type === 'file' ? item.path : '')),
    ).toEqual(['bash', 'ls', 'bash', 'script.sh'])
  })

  it('fetches with an approval and posts with a device seal', async () => {
    const fetched = await use(await permitFor('http_request', { url: `${origin}/page` }))
    expect(fetched).toMatchObject({
      kind: 'done',
      result: { ok: true, text: expect.stringContaining('hello') },
    })
    const post = { url: `${origin}/post`, method: 'POST', body: 'x' }
    expect(await use(await permitFor('http_request', post))).toMatchObject({ kind: 'done' })
    expect(await use(await permitFor('http_request', post, { tier: 2 }))).toMatchObject({ kind: 'refused' })
    expect(requests).toEqual(['GET /page', 'POST /post'])
  })

  it('returns a redirect and does not follow it', async () => {
    const outcome = await use(await permitFor('http_request', { url: `${origin}/away` }))
    expect(outcome).toMatchObject({
      result: { text: expect.stringContaining('location: http://127.0.0.1:1/') },
    })
  })

  it('does not look at an address inside that nobody opened', async () => {
    expect(await resolve('http_request', '{"url":"http://127.0.0.1:2/"}')).toMatchObject({ kind: 'invalid' })
    expect(await resolve('http_request', '{"url":"http://169.254.169.254/"}')).toMatchObject({
      kind: 'invalid',
    })
  })

  it('reads outside the workspace across the boundary, never the keys', async () => {
    const outside = join(host.folder, 'outside.txt')
    writeFileSync(outside, 'outside')
    const reply = await resolve('read_file', JSON.stringify({ path: outside }))
    expect(reply).toMatchObject({ kind: 'resolved', resolution: { effects: [{ scope: 'boundary' }] } })
    expect(await use(await permitFor('read_file', { path: outside }))).toMatchObject({
      result: { text: 'outside' },
    })
    expect(await resolve('read_file', JSON.stringify({ path: host.options.keyFile }))).toMatchObject({
      kind: 'invalid',
    })
    symlinkSync(host.options.trustFile, join(host.folder, 'link'))
    expect(await use(await permitFor('read_file', { path: join(host.folder, 'link') }))).toMatchObject({
      result: { ok: false, text: expect.stringContaining('is closed to tools') },
    })
    expect(await resolve('write_file', JSON.stringify({ path: outside, content: '' }))).toMatchObject({
      kind: 'invalid',
    })
    expect(await resolve('read_file', '{"path":"../outside.txt"}')).toMatchObject({ kind: 'invalid' })
  })

  it('tells nothing about a path outside before it is let read there', async () => {
    writeFileSync(join(host.folder, 'there.txt'), 'there')
    mkdirSync(join(host.folder, 'a-folder'))
    const shapes = await Promise.all(
      ['there.txt', 'missing.txt', 'a-folder', 'there.txt/below', 'missing/below'].map(async (name) => {
        const path = join(host.folder, name)
        const reply = await resolve('read_file', JSON.stringify({ path }))
        if (reply.kind !== 'resolved') return reply.kind
        return reply.resolution.effects.map((effect) => ({ ...effect, object: effect.object === path }))
      }),
    )
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    const missing = await permitFor('read_file', { path: join(host.folder, 'missing.txt') })
    expect(await use(missing)).toMatchObject({
      result: { ok: false, text: expect.stringContaining('does not exist') },
    })
    for (const tool of ['list_directory', 'file_info', 'search_files', 'write_file', 'delete_file']) {
      const more = { search_files: { query: 'x' }, write_file: { content: '' } }[tool] ?? {}
      const answers = await Promise.all(
        ['there.txt', 'missing.txt', 'a-folder'].map(async (name) => {
          const path = join(host.folder, name)
          const reply = await resolve(tool, JSON.stringify({ path, ...more }))
          return JSON.stringify(reply).replaceAll(name, '')
        }),
      )
      expect(new Set(answers).size).toBe(1)
    }
  })

  it('opens a credential only as an act of authority', async () => {
    mkdirSync(join(host.folder, 'dot-ssh'))
    writeFileSync(join(host.folder, 'dot-ssh/id_ed25519'), 'key')
    symlinkSync(join(host.folder, 'dot-ssh/id_ed25519'), join(host.folder, 'harmless.txt'))
    for (const path of [
      '~/.ssh/config',
      '/etc/shadow',
      ...['dot-ssh/id_ed25519', 'harmless.txt'].map((name) => join(host.folder, name)),
    ])
      expect(await resolve('read_file', JSON.stringify({ path }))).toMatchObject({
        resolution: { effects: [{ verb: 'authority' }] },
      })
    const low = await permitFor('read_file', { path: join(host.folder, 'harmless.txt') }, { tier: 3 })
    expect(await use(low)).toMatchObject({ kind: 'refused' })
  })

  it('gives a second use the answer of the first and does nothing', async () => {
    const permit = await takingOver(
      await use(await permitFor('execute_shell', { command: 'echo once >> once.txt' })),
    )
    const first = await use(permit)
    expect(await client.execute([permit, permit])).toEqual([first, first])
    expect(readFileSync(join(host.workspace, 'once.txt'), 'utf8')).toBe('once\n')
  })

  it('runs a permit once when it is used many times at once', async () => {
    const permit = await takingOver(
      await use(await permitFor('execute_shell', { command: 'sleep 0.1; echo x >> many.txt' })),
    )
    const outcomes = await client.execute(Array.from({ length: 20 }, () => permit))
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    expect(readFileSync(join(host.workspace, 'many.txt'), 'utf8')).toBe('x\n')
  })

  it('stops a command when it is cancelled', async () => {
    const permit = await permitFor('execute_shell', {
      command: 'touch begun; sleep 600; echo late > late.txt',
    })
    const stop = new AbortController()
    const running = client.execute([permit], { signal: stop.signal })
    await expect.poll(() => hasBegun(host), { timeout: 20_000 }).toBe(true)
    stop.abort()
    expect((await running)[0]).toMatchObject({ kind: 'done', result: { ok: false } })
    expect(existsSync(join(host.workspace, 'late.txt'))).toBe(false)
  })

  it('refuses every permit under another policy or epoch', async () => {
    const permit = await permitFor('read_file', { path: 'note.txt' })
    client.setWorld({ ...host.world, policy: '0'.repeat(64) })
    expect(await use(permit)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('policy') })
    client.setWorld(host.world)
    expect(await use(permit)).toMatchObject({ kind: 'done' })
  })

  it('answers good permits beside a bad one in a batch', async () => {
    const good = await permitFor('read_file', { path: 'note.txt' })
    const bad = { ...good, subject: { ...good.subject, nonce: 'short' } } as Permit
    expect((await client.execute([bad, good])).map((outcome) => outcome.kind)).toEqual(['refused', 'done'])
  })
})

describe('a lost executor', () => {
  it('is started again, and says unknown of what its predecessor began', async () => {
    const own = createTestHost()
    const pids: number[] = []
    const second = await startExecutor({
      options: own.options,
      mainPath: executorMainPath,
      // Its successor may take long to start on a busy machine.
      patienceMs: 50_000,
      onExit: ({ code }) => pids.push(code ?? -1),
    })
    try {
      second.setWorld(own.world)
      const look = async (tool: string, args: string) => {
        const resolved = await second.resolve([{ tool, args }])
        if (resolved.kind !== 'resolved' || !resolved.replies[0]) throw new Error('no reply')
        return resolved.replies[0]
      }
      const command = 'touch begun; sleep 30; touch ended'
      const permit = await sealTestPermit(own, { tool: 'execute_shell', args: { command } }, look)
      const running = second.execute([permit])
      while (!hasBegun(own)) await sleep(20)
      process.kill(second.pid() ?? 0, 'SIGKILL')
      expect(await running).toEqual([{ kind: 'lost' }])
      expect(await second.execute([permit])).toMatchObject([{ kind: 'unknown' }])
      expect(pids).toEqual([-1])
    } finally {
      await second.close()
      own.remove()
    }
  })
})
