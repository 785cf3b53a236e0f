import { execFileSync } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { idFrom, type JsonObject, type ToolResult } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { openPackageRegistry, type PackageRegistry } from '@countersign/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'

const catalogue = createCatalogue(builtinTools)
const { signal } = new AbortController()
const server = createServer((_request, response) => void response.end('from the web'))

let host: TestHost
let executor: Executor
let port: number
let registry: PackageRegistry

beforeAll(async () => {
  registry = await openPackageRegistry()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  registry.close()
  server.close()
})

beforeEach(async () => {
  const egress = {
    allowPrivate: [port, registry.port].map((open) => ({ host: '127.0.0.1', port: open })),
    ports: [],
  }
  host = { ...createTestHost(egress), catalogue }
  executor = await openExecutor(host.options, { catalogue })
  executor.setWorld(host.world)
})
afterEach(async () => {
  await executor.close()
  host.remove()
})

const at = (path: string) => join(host.workspace, path)

/** A call with a sealed permit, from the look to the effect. */
async function use(tool: string, args: JsonObject): Promise<ToolResult & { tier: number }> {
  const permit = await sealTestPermit(host, { tool, args, run }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return { ...reply.result, tier: permit.subject.tier }
}

const run = idFrom('run', randomUUIDv7())

/** Takes over what a program changed, as the kernel would ask next. */
async function keep({ next }: ToolResult): Promise<ToolResult & { tier: number }> {
  if (!next) throw new Error('nothing is held')
  return use(next.tool, JSON.parse(next.args) as JsonObject)
}

async function undo({ undo: call }: ToolResult): Promise<ToolResult & { tier: number }> {
  if (!call) throw new Error('no undo')
  return use(call.tool, JSON.parse(call.args) as JsonObject)
}

describe('file tools with a permit', () => {
  /** Every path with its content and mode. */
  const state = () =>
    readdirSync(host.workspace, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((path) => {
        const stat = statSync(at(path))
        return [path, stat.mode & 0o777, stat.isFile() ? readFileSync(at(path), 'base64') : null]
      })

  it.each([
    ['write_file', { path: 'new/folder/file', content: 'x' }],
    ['write_file', { path: 'kept/run.sh', content: 'x' }],
    ['edit_file', { path: 'kept/run.sh', oldText: 'ld', newText: 'nce' }],
    ['delete_file', { path: 'kept/run.sh' }],
    ['copy_file', { source: 'kept/run.sh', destination: 'new/copy.sh' }],
    ['copy_file', { source: 'a.bin', destination: 'kept/run.sh' }],
    ['move_file', { source: 'a.bin', destination: 'kept/b.bin' }],
    ['move_file', { source: 'kept', destination: 'moved' }],
    ['create_folder', { path: 'n/e/w' }],
  ])('change by %s %j at tier 1, and undone leave all as it was', async (tool, args) => {
    mkdirSync(at('kept'))
    writeFileSync(at('kept/run.sh'), 'old')
    chmodSync(at('kept/run.sh'), 0o755)
    writeFileSync(at('a.bin'), Buffer.from([0, 255]))
    const before = state()
    const result = await use(tool, args)
    expect(result).toMatchObject({ ok: true, tier: 1 })
    const after = state()
    expect(after).not.toEqual(before)
    const undone = await undo(result)
    expect(undone).toMatchObject({ ok: true, tier: 1 })
    expect(state()).toEqual(before)
    await undo(undone)
    expect(state()).toEqual(after)
  })

  it('change by a program, and undone as a whole leave all as it was', async () => {
    mkdirSync(at('kept'))
    writeFileSync(at('kept/run.sh'), 'old')
    writeFileSync(at('a.bin'), Buffer.from([0, 255]))
    const before = state()
    const command = 'rm -r kept; mkdir empty; echo new > a.bin; exit 3'
    const ran = await use('execute_shell', { command })
    expect(ran).toMatchObject({ ok: false, tier: 0, undo: null })
    expect(state()).toEqual(before)
    const taken = await keep(ran)
    expect(taken).toMatchObject({ ok: true, tier: 1 })
    const after = state()
    expect(after).not.toEqual(before)
    const undone = await undo(taken)
    expect(undone).toMatchObject({ ok: true, tier: 1 })
    expect(state()).toEqual(before)
    const again = await undo(undone)
    expect(state()).toEqual(after)
    writeFileSync(at('a.bin'), 'mine')
    await expect(undo(again)).rejects.toThrow('a.bin has changed since')
    expect((await use('execute_shell', { command: 'cat a.bin' })).next).toBeUndefined()
    await expect(keep(ran)).rejects.toThrow('not held any more')
  })

  it('look, search and download', async () => {
    mkdirSync(at('notes'))
    writeFileSync(at('notes/list.md'), 'milk\nbread\n')
    symlinkSync('/etc/passwd', at('notes/link'))
    expect(await use('search_files', { query: 'bread' })).toMatchObject({
      tier: 0,
      text: 'notes/list.md:2: bread',
    })
    expect((await use('search_files', { query: '*.md' })).text).toBe('notes/list.md')
    expect((await use('search_files', { query: 'root:' })).text).toBe('Nothing was found.')
    expect(await use('file_info', { path: 'notes/list.md' })).toMatchObject({
      tier: 0,
      text: expect.stringMatching(/size: 11 bytes\nmime: text\/markdown\nmodified: 20/),
    })
    const url = `http://127.0.0.1:${port}/x`
    const got = await use('download_file', { url, path: 'd/x.txt' })
    expect(got).toMatchObject({ ok: true, tier: 3 })
    expect(readFileSync(at('d/x.txt'), 'utf8')).toBe('from the web')
    await undo(got)
    expect(existsSync(at('d'))).toBe(false)
  })

  it('delete at tier 3 what no undo could bring back, and refuse a link', async () => {
    writeFileSync(at('large'), Buffer.alloc(600 * 1024))
    expect(await use('delete_file', { path: 'large' })).toMatchObject({ ok: true, tier: 3, undo: null })
    symlinkSync('/etc/passwd', at('link'))
    for (const [tool, args] of [
      ['delete_file', { path: 'link' }],
      ['copy_file', { source: 'link', destination: 'x' }],
      ['move_file', { source: 'link', destination: 'x' }],
    ] as const)
      await expect(use(tool, args)).rejects.toThrow('symbolic link')
  })

  it('do nothing when the file changed after the permit', async () => {
    writeFileSync(at('a'), 'one')
    const permits = await Promise.all(
      (
        [
          ['delete_file', { path: 'a' }],
          ['copy_file', { source: 'a', destination: 'b' }],
          ['move_file', { source: 'a', destination: 'b' }],
        ] as const
      ).map(([tool, args]) => sealTestPermit(host, { tool, args }, executor.resolve)),
    )
    writeFileSync(at('a'), 'two')
    for (const permit of permits)
      expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'refused' })
    expect(readdirSync(host.workspace)).toEqual(['a'])
  })
})

describe('git tools with a permit', () => {
  const git = (...words: string[]) => {
    const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' }
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.test', '-c', 'core.fsmonitor=false']
    return execFileSync('git', [...identity, ...words], {
      cwd: host.workspace,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  }
  const state = () => [git('status', '--porcelain=v2', '--branch'), git('write-tree'), git('show-ref')]

  beforeEach(() => {
    git('init', '--quiet', '--initial-branch=main')
    writeFileSync(at('a.txt'), 'one\n')
    git('add', 'a.txt')
    git('commit', '--quiet', '--message=One')
    writeFileSync(at('a.txt'), 'two\n')
  })

  it('go the whole way at tier 0 and 1, and each step is undone exactly', async () => {
    expect(await use('git_status', {})).toMatchObject({ ok: true, tier: 0, text: '## main\n M a.txt' })
    expect(await use('git_diff', {})).toMatchObject({ tier: 0, text: expect.stringContaining('-one\n+two') })
    expect(await use('git_log', {})).toMatchObject({ tier: 0, text: expect.stringContaining('One') })
    const steps: [string, JsonObject][] = [
      ['git_add', { files: ['a.txt'] }],
      ['git_commit', { message: 'Two' }],
      ['git_branch', { action: 'create', name: 'topic', start: 'HEAD~1' }],
      ['git_checkout', { target: 'topic' }],
      ['git_branch', { action: 'delete', name: 'main' }],
    ]
    for (const [tool, args] of steps) {
      const before = state()
      const done = await use(tool, args)
      expect(done, `${tool}: ${done.text}`).toMatchObject({ ok: true, tier: 1 })
      const after = state()
      expect(after).not.toEqual(before)
      const undone = await undo(done)
      expect(undone, undone.text).toMatchObject({ ok: true, tier: 1 })
      expect(state()).toEqual(before)
      const again = await undo(undone)
      expect(again, again.text).toMatchObject({ ok: true })
      expect(state()).toEqual(after)
    }
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n')
  })

  it('throw the changes of a file away at tier 3 only', async () => {
    const done = await use('git_checkout', { target: 'HEAD', files: ['a.txt'] })
    expect(done).toMatchObject({ ok: true, tier: 3, undo: null })
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n')
  })

  it('run nothing that the repository names', async () => {
    writeFileSync(at('evil.sh'), '#!/bin/sh\necho ran >> /workspace/canary\ncat\n')
    chmodSync(at('evil.sh'), 0o755)
    const evil = '/workspace/evil.sh'
    for (const hook of ['pre-commit', 'post-commit', 'post-index-change', 'reference-transaction']) {
      writeFileSync(at(`.git/hooks/${hook}`), `#!/bin/sh\n${evil}\n`)
      chmodSync(at(`.git/hooks/${hook}`), 0o755)
    }
    const settings = `[core]\n\tfsmonitor = ${evil}\n\thooksPath = .git/hooks\n\tpager = ${evil}\n[alias]\n\tstatus = !${evil}\n[diff]\n\texternal = ${evil}\n[diff "evil"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n`
    appendFileSync(at('.git/config'), settings)
    writeFileSync(at('.gitattributes'), '* diff=evil\n')
    for (const tool of ['git_status', 'git_diff', 'git_log'])
      expect(await use(tool, {})).toMatchObject({ ok: true, tier: 0 })
    await use('git_add', { files: ['a.txt'] })
    expect(await use('git_commit', { message: 'Two' })).toMatchObject({ ok: true, tier: 1 })
    expect(existsSync(at('canary'))).toBe(false)
  })

  it('ask first where a filter would run', async () => {
    appendFileSync(at('.git/config'), '[filter "up"]\n\tclean = tr a-z A-Z\n')
    writeFileSync(at('.gitattributes'), '*.txt filter=up\n')
    expect(await use('git_status', {})).toMatchObject({ ok: true, tier: 0 })
    expect(await use('git_add', { files: ['a.txt'] })).toMatchObject({ ok: true, tier: 3 })
    expect(git('show', ':a.txt')).toBe('TWO\n')
  })

  it('do nothing when the branch moved after the permit', async () => {
    git('add', 'a.txt')
    const permit = await sealTestPermit(
      host,
      { tool: 'git_commit', args: { message: 'Two' } },
      executor.resolve,
    )
    git('commit', '--quiet', '--allow-empty', '--message=Between')
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'refused' })
  })
})

describe('code tools with a permit', () => {
  it('run JavaScript and Python in the workspace, without network', async () => {
    const js = "require('node:fs').writeFileSync('js.txt', 'x'); console.log(process.cwd())"
    const ran = await use('execute_javascript', { code: js })
    expect(ran).toMatchObject({
      ok: true,
      tier: 0,
      text: expect.stringMatching(/^\/workspace\n\n\[exit 0, \d+ ms\]$/),
    })
    expect(existsSync(at('js.txt'))).toBe(false)
    await keep(ran)
    expect(existsSync(at('js.txt'))).toBe(true)
    const net = [
      'import socket',
      'try:',
      `  socket.create_connection(("127.0.0.1", ${port}), 2)`,
      '  print("reached")',
      'except OSError:',
      '  print("closed")',
    ]
    expect((await use('execute_python', { code: net.join('\n') })).text).toMatch(/^closed\n\n\[exit 0, /)
  })

  it.each([
    ['c', '#include <stdio.h>\nint main(void) { printf("%d", 42); return 0; }'],
    ['cpp', '#include <iostream>\nint main() { std::cout << 42; }'],
    ['typescript', 'const n: number = 42\nconsole.log(String(n))'],
  ])('compile and run %s, and leave nothing behind', async (language, code) => {
    const result = await use('compile_code', { language, code, run: true })
    expect(result, result.text).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^42\s*\[exit 0, \d+ ms\]$/),
    })
    expect(readdirSync(host.workspace)).toEqual([])
  })

  it('let a compiled program read the workspace and not write it', async () => {
    writeFileSync(at('in.txt'), 'seen')
    const code =
      '#include <stdio.h>\nint main(void) { char t[9] = ""; FILE *f = fopen("in.txt", "r"); fscanf(f, "%8s", t); printf("%s %d", t, fopen("out.txt", "w") == NULL); }'
    expect((await use('compile_code', { language: 'c', code, run: true })).text).toContain('seen 1')
    expect(existsSync(at('out.txt'))).toBe(false)
  })

  it('end code that runs too long', async () => {
    const result = await use('execute_python', { code: 'while True: pass', timeout_ms: 500 })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('[stopped after 500 ms, ') })
  })

  it('install packages from the registry that the permit names, and run no script of them', async () => {
    const { url } = registry
    const npm = { manager: 'npm', action: 'install', packages: ['left'], registry: url }
    const left = await use('package_manager', npm)
    expect(left, left.text).toMatchObject({ ok: true, tier: 3 })
    expect(readdirSync(at('node_modules/left'))).toEqual(['package.json'])
    const pip = { manager: 'pip', action: 'install', packages: ['right'], registry: url }
    const right = await use('package_manager', pip)
    expect(right, right.text).toMatchObject({ ok: true, tier: 3 })
    expect(existsSync(at('python_packages/right.py'))).toBe(true)
    expect((await use('package_manager', { manager: 'pip', action: 'list' })).text).toContain('right')
    const imported = await use('execute_python', { code: 'import right\nprint(right.__name__)' })
    expect(imported, imported.text).toMatchObject({ ok: true, text: expect.stringMatching(/^right\n/) })
    const gone = await use('package_manager', { manager: 'pip', action: 'uninstall', packages: ['right'] })
    expect(gone, gone.text).toMatchObject({ ok: true })
    expect(existsSync(at('python_packages/right.py'))).toBe(false)
  })

  it('start a listed program over a view, and hold what it changes', async () => {
    writeFileSync(at('prices.json'), '{ "chair": 40 }')
    const looked = await use('run_cli_tool', { name: 'jq', args: ['.chair', 'prices.json'] })
    expect(looked, looked.text).toMatchObject({ ok: true, tier: 0, text: expect.stringMatching(/^40/) })
    const changed = await use('run_cli_tool', { name: 'sqlite3', args: ['kept.db', 'create table t(a)'] })
    expect(changed, changed.text).toMatchObject({ ok: true, tier: 0 })
    expect(existsSync(at('kept.db'))).toBe(false)
    await undo(await keep(changed))
    expect(existsSync(at('kept.db'))).toBe(false)
    const listed = await use('list_cli_tools', { category: 'data', on: [] })
    expect(listed, listed.text).toMatchObject({ ok: true, tier: 0, text: expect.stringContaining('"jq"') })
  })

  it('install into a folder of their own', async () => {
    const wish = { manager: 'npm', action: 'install', packages: ['left'], into: 'cli_tools/npm' }
    const left = await use('package_manager', { ...wish, registry: registry.url })
    expect(left, left.text).toMatchObject({ ok: true, tier: 3 })
    expect(existsSync(at('cli_tools/npm/node_modules/left/package.json'))).toBe(true)
    expect(readdirSync(host.workspace)).toEqual(['cli_tools'])
  })

  it('refuse a registry that nobody opened', async () => {
    const wish = { manager: 'npm', action: 'install', packages: ['left'], registry: 'http://127.0.0.1:9' }
    await expect(use('package_manager', wish)).rejects.toThrow('loopback')
    const plain = { ...wish, registry: 'http://registry.example.test' }
    await expect(use('package_manager', plain)).rejects.toThrow('https')
  })
})
