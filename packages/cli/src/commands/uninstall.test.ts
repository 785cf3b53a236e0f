import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homePaths } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { run } from '../program.ts'
import { removalPlan } from '../removal.ts'
import type { RunProgram } from '../run-program.ts'
import { shimPath } from '../service/service-paths.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'

let home: TestHome
const children: ChildProcess[] = []
beforeEach(() => {
  home = testHome()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  home.remove()
})

function furnish(): void {
  home.establish()
  for (const path of [
    home.paths.config,
    join(home.paths.logs, 'gateway.log'),
    join(home.paths.state, 'vault', 'secrets.age'),
    join(home.folder, 'cache', 'v24.16.0-x64', 'code'),
    join(home.paths.run, 'gateways', 'note'),
    join(home.paths.workspace, 'letter.txt'),
    join(home.folder, '.local', 'share', 'bash-completion', 'completions', 'countersign'),
  ]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '# bash completion for countersign\n')
  }
}

async function uninstall(argv: readonly string[], runProgram?: RunProgram) {
  const host = testHost({ home, platform: 'linux', ...(runProgram ? { runProgram } : {}) })
  const exit = await run(['uninstall', ...argv, '--json'], host)
  return { exit, value: JSON.parse(host.written()) }
}

describe('uninstall', () => {
  it('prints what it would remove with --dry-run, and removes nothing', async () => {
    furnish()
    const { exit, value } = await uninstall(['--dry-run'])
    expect(exit).toBe(0)
    const kinds = value.remove.map(({ what }: { what: string }) => what)
    expect(kinds.toSorted()).toEqual(['cache', 'completion', 'config', 'data', 'run', 'state'])
    expect(existsSync(home.paths.trust)).toBe(true)
  })

  it('needs --yes where nobody can be asked', async () => {
    furnish()
    const { exit, value } = await uninstall([])
    expect(exit).toBe(2)
    expect(value.error.message).toContain('--yes')
    expect(existsSync(home.paths.trust)).toBe(true)
  })

  it('asks for the word in a terminal: yes is not enough', async () => {
    furnish()
    for (const [typed, left] of [
      ['yes\n', true],
      ['uninstall\n', false],
    ] as const) {
      const host = testHost({ home, terminal: true, platform: 'linux', values: { TERM: 'dumb' } })
      host.typed.write(typed)
      expect(await run(['uninstall'], host)).toBe(0)
      expect(host.written()).toContain(home.paths.data)
      expect(existsSync(home.paths.trust)).toBe(left)
    }
  })

  it('removes everything it named, and what is not ours stays', async () => {
    furnish()
    writeFileSync(join(home.folder, 'mine.txt'), '')
    const { exit, value } = await uninstall(['--yes'])
    expect(exit).toBe(0)
    for (const path of value.removed) expect(existsSync(path)).toBe(false)
    expect(value.removed).toContain(home.paths.data)
    expect(existsSync(join(home.folder, 'mine.txt'))).toBe(true)
  })

  it('leaves data, settings and vault with --keep-data', async () => {
    furnish()
    const { value } = await uninstall(['--yes', '--keep-data'])
    expect(existsSync(home.paths.trust)).toBe(true)
    expect(existsSync(home.paths.config)).toBe(true)
    expect(existsSync(join(home.paths.state, 'vault', 'secrets.age'))).toBe(true)
    expect(existsSync(home.paths.logs)).toBe(false)
    expect(existsSync(join(home.folder, 'cache'))).toBe(false)
    expect(value.leave.map(({ path }: { path: string }) => path)).toContain(home.paths.data)
  })

  it('removes the service and its shim first', async () => {
    furnish()
    const calls: string[] = []
    const runProgram: RunProgram = (program, args) => {
      calls.push([program, ...args].join(' '))
      return Promise.resolve({ kind: 'ran', code: 0, output: '', errors: '' })
    }
    mkdirSync(join(home.paths.data, 'node'), { recursive: true })
    writeFileSync(join(home.paths.data, 'node', 'pairing.json'), '{}')
    for (const noun of ['service', 'node'])
      await run([noun, 'install'], testHost({ home, platform: 'linux', runProgram }))
    for (const of of ['gateway', 'node'] as const) expect(existsSync(shimPath(home.paths, of))).toBe(true)
    await uninstall(['--yes', '--keep-data'], runProgram)
    const ended = calls.filter((call) => call.startsWith('systemctl --user disable --now'))
    expect(ended.map((call) => /countersign(-node)?-[0-9a-f]{8}/.exec(call)?.[1] ?? '')).toEqual([
      '',
      '-node',
    ])
    for (const of of ['gateway', 'node'] as const) expect(existsSync(shimPath(home.paths, of))).toBe(false)
  })

  it('stops the gateway first, and removes nothing while it has not stopped', async () => {
    furnish()
    const stubborn = await leaseFor(
      "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
    )
    expect((await uninstall(['--yes', '--wait', '200ms'])).exit).toBe(7)
    expect(existsSync(home.paths.trust)).toBe(true)
    stubborn.kill('SIGKILL')
    await new Promise((resolve) => stubborn.once('exit', resolve))
    await leaseFor("console.log('up'); setInterval(() => {}, 1000)")
    expect((await uninstall(['--yes'])).exit).toBe(0)
    expect(existsSync(home.paths.trust)).toBe(false)
  })

  it('says that there is nothing where nothing is', async () => {
    expect((await uninstall(['--yes'])).value).toMatchObject({ ok: true, remove: [] })
  })
})

describe('what an uninstall leaves', () => {
  const planAt = (values: Record<string, string>, platform: NodeJS.Platform, keepData: boolean) => {
    const environment = readEnvironment({ HOME: home.folder, ...values }, platform)
    return removalPlan({ environment, paths: homePaths(environment.home, platform), keepData })
  }

  it('is a folder that does not look like a folder of Countersign', () => {
    const stranger = join(home.folder, 'srv', 'data')
    mkdirSync(stranger, { recursive: true })
    writeFileSync(join(stranger, 'photos.tar'), '')
    const plan = planAt({ COUNTERSIGN_HOME: join(home.folder, 'srv') }, 'linux', false)
    expect(plan.remove).toEqual([])
    expect(plan.leave).toEqual([{ path: stranger, because: 'does not look like a folder of Countersign' }])
  })

  it('is a folder whose trust file is empty, damaged, a link or names no gateway', () => {
    const root = join(home.folder, 'srv')
    const values = { COUNTERSIGN_HOME: root }
    for (const path of ['data/keys', 'config/policy.d', 'state/logs', 'run/gateways', 'cache/gateway'])
      mkdirSync(join(root, path), { recursive: true })
    const trust = join(root, 'data', 'trust.json')
    for (const text of ['', '{', 'null', '[]', '{"gateway":{}}', '{"gateway":{"id":"mine"}}']) {
      writeFileSync(trust, text)
      for (const keepData of [true, false]) expect(planAt(values, 'linux', keepData).remove).toEqual([])
    }
    expect(planAt(values, 'linux', false).leave).toHaveLength(5)
    home.establish()
    rmSync(trust)
    symlinkSync(home.paths.trust, trust)
    expect(planAt(values, 'linux', false).remove).toEqual([])
    rmSync(trust)
    copyFileSync(home.paths.trust, trust)
    expect(planAt(values, 'linux', false).remove).toHaveLength(5)
  })

  it('is the data without a trust file also under the default names, where the rest has our name', () => {
    const values = {
      XDG_CONFIG_HOME: join(home.folder, 'c'),
      XDG_DATA_HOME: join(home.folder, 'd'),
      XDG_STATE_HOME: join(home.folder, 's'),
      XDG_CACHE_HOME: join(home.folder, 'k'),
      XDG_RUNTIME_DIR: join(home.folder, 'r'),
    }
    for (const path of ['c/countersign/policy.d', 'd/countersign/keys', 's/countersign/logs'])
      mkdirSync(join(home.folder, path), { recursive: true })
    const plan = planAt(values, 'linux', false)
    expect(plan.remove.map(({ what }) => what)).toEqual(['state', 'config'])
    expect(plan.leave).toEqual([
      { path: join(home.folder, 'd', 'countersign'), because: 'does not look like a folder of Countersign' },
    ])
  })

  it('is a link', () => {
    home.establish()
    const linked = join(home.folder, 'linked')
    mkdirSync(linked)
    symlinkSync(home.paths.data, join(linked, 'data'))
    const plan = planAt({ COUNTERSIGN_HOME: linked }, 'linux', false)
    expect(plan.remove).toEqual([])
    expect(plan.leave[0]).toMatchObject({
      path: join(linked, 'data'),
      because: expect.stringContaining('link'),
    })
  })

  it('is the workspace that lies elsewhere', () => {
    furnish()
    const workspace = join(home.folder, 'my work')
    mkdirSync(workspace)
    const plan = planAt({ COUNTERSIGN_HOME: home.folder, COUNTERSIGN_WORKSPACE: workspace }, 'linux', false)
    expect(plan.leave).toContainEqual({ path: workspace, because: 'the workspace is kept' })
    expect(plan.remove.some(({ path }) => workspace.startsWith(path))).toBe(false)
  })

  it('is a folder that holds what is kept, where data, settings and state share one', () => {
    const shared = join(home.folder, 'shared')
    const values = {
      XDG_CONFIG_HOME: shared,
      XDG_DATA_HOME: shared,
      XDG_STATE_HOME: shared,
      XDG_RUNTIME_DIR: home.folder,
    }
    mkdirSync(join(shared, 'countersign', 'logs'), { recursive: true })
    const trust = join(shared, 'countersign', 'trust.json')
    writeFileSync(trust, '')
    expect(planAt(values, 'darwin', false).remove).toEqual([])
    home.establish()
    copyFileSync(home.paths.trust, trust)
    expect(planAt(values, 'darwin', true).remove.map(({ path }) => path)).not.toContain(
      join(shared, 'countersign'),
    )
    expect(planAt(values, 'darwin', false).remove).toEqual([
      { what: 'state', path: join(shared, 'countersign') },
    ])
  })
})

function leaseFor(source: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  mkdirSync(home.paths.lease, { recursive: true })
  return new Promise((resolve) => {
    child.stdout?.once('data', () => {
      const startedAt = new Date().toISOString()
      const lease = { pid: child.pid ?? 0, url: 'http://127.0.0.1:9', startedAt, version: '1' }
      writeFileSync(join(home.paths.lease, `${child.pid}.json`), home.leaseText(lease))
      resolve(child)
    })
  })
}
