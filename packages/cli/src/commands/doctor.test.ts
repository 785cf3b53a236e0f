import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { DoctorFinding } from '@countersign/contract/doctor'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { service, webPages } from '../doctor/installation.ts'
import { run } from '../program.ts'
import { serviceText } from '../service/plan.ts'
import { servicePathsFor, shimPath } from '../service/service-paths.ts'
import { shimText } from '../service/shim.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'

let home: TestHome
let gateway: FakeGateway | undefined
beforeEach(() => {
  home = testHome()
})
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
  home.remove()
})

const goneProcess = 2 ** 22 + 1

async function doctor(argv: readonly string[] = [], values: Record<string, string> = {}) {
  const host = testHost({ home, values: { COUNTERSIGN_PORT: '0', ...values } })
  const exit = await run(['doctor', '--json', ...argv], host)
  const value = JSON.parse(host.written())
  const report = exit === 13 ? value.error.details : value
  const findings: DoctorFinding[] = report?.findings ?? []
  const finding = (id: string) => findings.find((each) => each.id === id)
  return { exit, value, report, finding, findings }
}

describe('doctor', () => {
  it('gives each finding an id, a severity, its evidence and a fix, and names no page that is not installed', async () => {
    home.establish()
    const { findings } = await doctor()
    for (const finding of findings) {
      expect(Object.keys(finding)).toEqual(['id', 'severity', 'evidence', 'fix', 'repairs'])
      expect(`${finding.evidence} ${finding.fix}`).not.toContain('docs/')
      expect(finding.fix === '').toBe(finding.severity === 'ok')
    }
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)
  })

  it('has one warning before the first start: that nothing runs', async () => {
    const { findings } = await doctor()
    const warnings = findings.filter(({ severity }) => severity === 'warning' || severity === 'error')
    expect(warnings.filter(({ fix }) => fix.includes('countersign up')).map(({ id }) => id)).toEqual([
      'gateway',
    ])
  })

  it('describes every finding in its documentation', async () => {
    home.establish()
    gateway = await fakeGateway(home.paths, home.establish())
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/operators/doctor.md'), 'utf8')
    const { findings } = await doctor(['--deep'])
    for (const { id } of findings) expect(page).toContain(`### ${id}\n`)
  })

  it('finds a port that another program uses, and none that is free', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = String(typeof address === 'object' && address ? address.port : 0)
    expect((await doctor([], { COUNTERSIGN_PORT: port })).finding('port')).toMatchObject({
      severity: 'error',
      fix: expect.stringContaining('--port 0'),
    })
    await new Promise((resolve) => server.close(resolve))
    expect((await doctor([], { COUNTERSIGN_PORT: port })).finding('port')?.severity).toBe('ok')
    expect((await doctor([], { COUNTERSIGN_PORT: 'x' })).finding('port')?.severity).toBe('error')
  })

  it('finds keys that others can read', async () => {
    home.establish()
    expect((await doctor()).finding('keys')?.severity).toBe('ok')
    chmodSync(join(home.paths.keys, 'gateway.key'), 0o640)
    expect((await doctor()).finding('keys')).toMatchObject({
      severity: 'error',
      repairs: [{ kind: 'chmod', mode: 0o600 }],
    })
  })

  it('finds folders that others can write to', async () => {
    home.establish()
    expect((await doctor()).finding('home')?.severity).toBe('ok')
    chmodSync(home.paths.data, 0o777)
    expect((await doctor()).finding('home')).toMatchObject({
      severity: 'error',
      repairs: [{ kind: 'chmod', path: home.paths.data, mode: 0o700 }],
    })
  })

  it('finds the lease of a process that is gone, and not that of one that runs', async () => {
    gateway = await fakeGateway(home.paths, home.establish())
    expect((await doctor()).finding('lease')?.severity).toBe('ok')
    const stale = staleLease()
    expect((await doctor()).finding('lease')).toMatchObject({
      severity: 'warning',
      repairs: [{ kind: 'remove', path: stale }],
    })
  })

  it('finds unknown settings, and suggests what was meant', async () => {
    mkdirSync(dirname(home.paths.config), { recursive: true })
    writeFileSync(home.paths.config, '{"prot": 1, "autonomy": "low", "nothingLikeIt": 2}')
    const { finding } = await doctor()
    expect(finding('config')).toMatchObject({ severity: 'error' })
    expect(finding('config')?.evidence).toContain('`prot`, perhaps `port`')
    expect(finding('config')?.evidence).toMatch(/`nothingLikeIt`$/)
    writeFileSync(home.paths.config, '{"port": 7347}')
    expect((await doctor()).finding('config')?.severity).toBe('ok')
    writeFileSync(home.paths.config, '[1]')
    expect((await doctor()).finding('config')?.severity).toBe('error')
  })

  it('finds a vault whose key is in no known place', async () => {
    home.establish()
    expect((await doctor()).finding('vault')?.severity).toBe('ok')
    const vault = join(home.paths.state, 'vault')
    mkdirSync(vault, { recursive: true })
    writeFileSync(join(vault, 'secrets.age'), '')
    expect((await doctor()).finding('vault')?.severity).toBe('error')
    const record = join(home.paths.keys, 'vault.json')
    writeFileSync(record, '{"v":1,"store":"file"}')
    expect((await doctor()).finding('vault')?.evidence).toContain('its key is missing')
    writeFileSync(join(home.paths.keys, 'vault.key'), 'key', { mode: 0o600 })
    expect((await doctor()).finding('vault')?.severity).toBe('hint')
    writeFileSync(record, '{"v":1,"store":"keyring"}')
    expect((await doctor()).finding('vault')?.severity).toBe('ok')
    writeFileSync(record, '{')
    expect((await doctor()).finding('vault')?.severity).toBe('error')
  })

  it('hints at completion, until it is there', async () => {
    expect((await doctor([], { SHELL: '/bin/bash' })).finding('completion')).toMatchObject({
      severity: 'hint',
      fix: expect.stringContaining('countersign completion bash'),
    })
    writeFileSync(join(home.folder, '.bashrc'), 'source <(countersign completion bash)\n')
    expect((await doctor([], { SHELL: '/bin/bash' })).finding('completion')?.severity).toBe('ok')
    expect((await doctor([], { SHELL: '/bin/tcsh' })).finding('completion')?.severity).toBe('ok')
  })

  it('finds whether the web pages are there', () => {
    const program = join(home.folder, 'gateway.js')
    expect(webPages(program).severity).toBe('warning')
    mkdirSync(join(home.folder, 'web'))
    writeFileSync(join(home.folder, 'web', 'index.html'), '')
    expect(webPages(program).severity).toBe('ok')
  })
})

describe('a service that no longer fits', () => {
  const place = (platform: NodeJS.Platform) => {
    const { environment } = testHost({ home })
    const made = servicePathsFor({ platform, environment, paths: home.paths, user: 1 })
    if (made === undefined) throw new Error('This platform has services.')
    return made
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  it.each(['linux', 'darwin'] as const)('is found on %s', (platform) => {
    const found = () => service(place(platform), '/here/countersign.js')
    const shim = (program: string) => write(shimPath(home.paths), shimText({ node: '/n', program }))
    expect(found()).toMatchObject({ severity: 'ok', evidence: 'not installed' })
    write(place(platform).file, 'nothing')
    expect(found().evidence).toContain('starts no program')
    write(place(platform).file, serviceText(place(platform)))
    expect(found()).toMatchObject({ severity: 'error', evidence: expect.stringContaining('does not exist') })
    write(shimPath(home.paths), '#!/bin/sh\n')
    expect(found().evidence).toContain('is not the shim')
    shim('/gone/countersign.js')
    expect(found()).toMatchObject({ severity: 'error', evidence: expect.stringContaining('/gone/') })
    shim(import.meta.filename)
    expect(found()).toMatchObject({
      severity: 'warning',
      evidence: expect.stringContaining('this command is'),
    })
    expect(service(place(platform), import.meta.filename).severity).toBe('ok')
  })
})

describe('doctor --deep', () => {
  it('also checks the ledger, the database, the disk and the executor', async () => {
    gateway = await fakeGateway(home.paths, home.establish())
    const plain = await doctor()
    expect(plain.finding('ledger')).toBeUndefined()
    const { finding } = await doctor(['--deep'])
    expect(finding('ledger')?.severity).toBe('ok')
    expect(finding('disk-write')?.evidence).toMatch(/^1 MiB in \d+ ms$/)
    expect(readdirSync(home.paths.data).filter((name) => name.startsWith('.doctor'))).toEqual([])
    // The stand-in has neither events nor tools: each check fails on its own, and tells so.
    expect(finding('database')?.severity).toBe('error')
    expect(finding('executor')?.severity).toBe('error')
  })

  it('exits 13 for a ledger that does not verify', async () => {
    gateway = await fakeGateway(home.paths, home.establish())
    gateway.ledgerOk = false
    const { exit, finding } = await doctor(['--deep'])
    expect(exit).toBe(13)
    expect(finding('ledger')?.evidence).toBe('entry 4 was changed')
  })

  it('says what it could not look at without a gateway', async () => {
    home.establish()
    const { finding, findings } = await doctor(['--deep'])
    expect(finding('gateway')?.evidence).toContain(
      'The ledger, the database and the executor were not checked.',
    )
    expect(findings.filter(({ fix }) => fix.includes('countersign up'))).toHaveLength(1)
  })
})

describe('doctor --fix', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777
  const backups = () =>
    existsSync(home.paths.state)
      ? readdirSync(home.paths.state).filter((name) => name.startsWith('doctor-backup-'))
      : []

  it('needs --yes where nobody can be asked, and changes nothing without it', async () => {
    home.establish()
    chmodSync(home.paths.deviceKey, 0o644)
    expect((await doctor(['--fix'])).exit).toBe(2)
    expect(modeOf(home.paths.deviceKey)).toBe(0o644)
  })

  it('shows the plan with --dry-run, and changes nothing', async () => {
    home.establish()
    chmodSync(home.paths.deviceKey, 0o644)
    const { exit, report } = await doctor(['--fix', '--dry-run'])
    expect(exit).toBe(0)
    expect(report.plan).toEqual([{ kind: 'chmod', path: home.paths.deviceKey, mode: 0o600 }])
    expect(modeOf(home.paths.deviceKey)).toBe(0o644)
    expect((await doctor(['--dry-run'])).exit).toBe(2)
  })

  it('corrects, keeps what was there, and looks again', async () => {
    home.establish()
    chmodSync(home.paths.deviceKey, 0o644)
    chmodSync(home.paths.keys, 0o777)
    const stale = staleLease()
    const { report, finding } = await doctor(['--fix', '--yes'])
    expect(modeOf(home.paths.deviceKey)).toBe(0o600)
    expect(modeOf(home.paths.keys)).toBe(0o700)
    expect(existsSync(stale)).toBe(false)
    for (const id of ['device-key', 'home', 'lease']) expect(finding(id)?.severity).toBe('ok')
    expect(report.repaired.done).toHaveLength(3)
    const [backup = ''] = backups()
    const kept = join(home.paths.state, backup)
    expect(modeOf(kept)).toBe(0o700)
    const changes = JSON.parse(readFileSync(join(kept, 'changes.json'), 'utf8'))
    expect(changes).toContainEqual(expect.objectContaining({ path: home.paths.deviceKey, before: '644' }))
    expect(readdirSync(kept).some((name) => name.includes('device.key'))).toBe(false)
    expect(readdirSync(kept).some((name) => name.endsWith(`${goneProcess}.json`))).toBe(true)
  })

  it('asks in a terminal, where Enter alone changes nothing and the word does', async () => {
    home.establish()
    chmodSync(home.paths.deviceKey, 0o644)
    for (const [typed, mode] of [
      ['\n', 0o644],
      ['yes\n', 0o600],
    ] as const) {
      const host = testHost({ home, terminal: true, values: { COUNTERSIGN_PORT: '0', TERM: 'dumb' } })
      host.typed.write(typed)
      await run(['doctor', '--fix'], host)
      expect(host.written()).toContain(`chmod 600 ${home.paths.deviceKey}`)
      expect(modeOf(home.paths.deviceKey)).toBe(mode)
    }
  })

  it('leaves a link as it is', async () => {
    home.establish()
    const elsewhere = join(home.folder, 'elsewhere.key')
    writeFileSync(elsewhere, '')
    chmodSync(elsewhere, 0o644)
    symlinkSync(elsewhere, join(home.paths.keys, 'linked.key'))
    const { report } = await doctor(['--fix', '--yes'])
    expect(report.repaired.failed[0]).toContain('it is a link')
    expect(modeOf(elsewhere)).toBe(0o644)
  })

  it('makes no backup where there is nothing to correct', async () => {
    home.establish()
    await doctor(['--fix', '--yes'])
    expect(backups()).toEqual([])
  })
})

function staleLease(): string {
  const path = join(home.paths.lease, `${goneProcess}.json`)
  mkdirSync(home.paths.lease, { recursive: true, mode: 0o700 })
  const lease = {
    pid: goneProcess,
    url: 'http://127.0.0.1:9',
    startedAt: new Date().toISOString(),
    version: '1',
  }
  writeFileSync(path, home.leaseText(lease))
  return path
}
