import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gatewayLog } from '../gateway-process.ts'
import { run } from '../program.ts'
import type { ProgramResult, RunProgram } from '../run-program.ts'
import { shimPath } from '../service/service-paths.ts'
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

interface Manager {
  readonly calls: string[]
  readonly runProgram: RunProgram
}

const well: ProgramResult = { kind: 'ran', code: 0, output: '', errors: '' }

/** Answers every call with success unless the script has another answer for its verb. */
function manager(answers: Readonly<Record<string, ProgramResult>> = {}): Manager {
  const calls: string[] = []
  return {
    calls,
    runProgram: (program, args) => {
      calls.push([program, ...args].join(' '))
      const verb = args.find((word) => !word.startsWith('-')) ?? ''
      return Promise.resolve(answers[verb] ?? well)
    },
  }
}

async function command(
  argv: readonly string[],
  { runProgram }: Manager,
  options: { platform?: NodeJS.Platform; values?: Record<string, string> } = {},
) {
  const host = testHost({ home, runProgram, platform: options.platform ?? 'linux', ...options })
  const exit = await run(argv, host)
  return { exit, text: host.written(), complaints: host.complaints() }
}

const unit = () => join(home.folder, '.config', 'systemd', 'user')

describe('service install', () => {
  it('writes the shim and the unit, switches it on, and offers what comes next', async () => {
    const systemd = manager()
    const { exit, text } = await command(['service', 'install'], systemd)
    expect(exit).toBe(0)
    expect(statSync(shimPath(home.paths)).mode & 0o777).toBe(0o755)
    expect(systemd.calls.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
      'systemctl --user show-environment',
      'systemctl --user daemon-reload',
      'systemctl --user enable',
    ])
    expect(text).toContain('loginctl enable-linger')
    expect(systemd.calls.join()).not.toContain('linger')
  })

  it('only prints what it would do with --dry-run', async () => {
    const systemd = manager()
    const { exit, text } = await command(['service', 'install', '--dry-run'], systemd)
    expect(exit).toBe(0)
    expect(text).toContain('ExecStart=')
    expect(text).toContain('systemctl --user enable')
    expect(systemd.calls).toEqual([])
    expect(existsSync(unit())).toBe(false)
    const { text: json } = await command(['service', 'install', '--dry-run', '--json'], systemd)
    expect(JSON.parse(json)).toMatchObject({ ok: true, dryRun: true, steps: expect.any(Array) })
  })

  it('writes nothing where systemd does not answer, and says what to do', async () => {
    const silent = manager({
      'show-environment': { kind: 'ran', code: 1, output: '', errors: 'Failed to connect to bus\n' },
    })
    const { exit, complaints } = await command(['service', 'install'], silent)
    expect(exit).toBe(3)
    expect(complaints).toContain('Failed to connect to bus')
    expect(complaints).toContain('countersign up')
    expect(existsSync(unit())).toBe(false)
  })

  it('says so where there is no systemd at all, and where there is no service manager', async () => {
    const missing = manager({ 'show-environment': { kind: 'missing' } })
    expect((await command(['service', 'install'], missing)).complaints).toContain(
      'systemctl is not installed',
    )
    const windows = await command(['service', 'install'], manager(), { platform: 'win32' })
    expect(windows.exit).toBe(3)
    expect(windows.complaints).toContain('countersign up')
  })

  it('names the secrets of the environment that it did not copy, and not their values', async () => {
    const values = { COUNTERSIGN_DATABASE_URL: 'postgresql://a:hidden@b/c' }
    const { text } = await command(['service', 'install'], manager(), { values })
    expect(text).toContain('COUNTERSIGN_DATABASE_URL')
    expect(text).toContain('service.env')
    expect(text).not.toContain('hidden')
  })

  it('tells what systemd refused', async () => {
    const refusing = manager({ enable: { kind: 'ran', code: 1, output: '', errors: 'Unit is masked.\n' } })
    const { exit, complaints } = await command(['service', 'install'], refusing)
    expect(exit).toBe(1)
    expect(complaints).toContain('Unit is masked.')
  })

  it('writes a property list for launchd', async () => {
    const launchd = manager()
    const { exit, text } = await command(['service', 'install'], launchd, { platform: 'darwin' })
    expect(exit).toBe(0)
    expect(text).not.toContain('linger')
    expect(launchd.calls[1]).toMatch(/^launchctl enable gui\/\d+\/countersign\.gateway/)
  })
})

describe('service start, stop and restart', () => {
  it('refuse what is not installed', async () => {
    for (const verb of ['start', 'stop', 'restart']) {
      const { exit, complaints } = await command(['service', verb], manager())
      expect(exit).toBe(3)
      expect(complaints).toContain('countersign service install')
    }
  })

  it('start it and wait for the gateway', async () => {
    await command(['service', 'install'], manager())
    const systemd: Manager = {
      calls: [],
      runProgram: async (_program, args) => {
        if (args.includes('start')) gateway = await fakeGateway(home.paths, home.establish())
        return well
      },
    }
    const { exit, text } = await command(['service', 'start', '--json'], systemd)
    expect({ exit, ...JSON.parse(text) }).toMatchObject({ exit: 0, ok: true, url: gateway?.url })
  })

  it('wait for a gateway that takes most of a minute to start', async () => {
    await command(['service', 'install'], manager())
    const began = Date.now()
    let passed = 0
    const clock = () => new Date(began + passed)
    const host = {
      ...testHost({ home, runProgram: manager().runProgram, platform: 'linux', clock }),
      async wait(ms: number) {
        passed += ms
        if (passed > 45_000) gateway ??= await fakeGateway(home.paths, home.establish())
      },
    }
    expect(await run(['service', 'start', '--json'], host)).toBe(0)
  })

  it('show the end of the log when no gateway comes', async () => {
    await command(['service', 'install'], manager())
    appendFileSync(gatewayLog(home.paths.logs), 'port 7347 is taken\n')
    const { exit, complaints } = await command(['service', 'start', '--wait', '50ms'], manager())
    expect(exit).toBe(7)
    expect(complaints).toContain('port 7347 is taken')
  })

  it('do not start a second gateway beside one that was started by hand', async () => {
    await command(['service', 'install'], manager())
    gateway = await fakeGateway(home.paths, home.establish())
    const systemd = manager()
    const { exit, complaints } = await command(['service', 'start'], systemd)
    expect(exit).toBe(14)
    expect(complaints).toContain('countersign down')
    expect(systemd.calls.some((call) => call.includes(' start '))).toBe(false)
  })

  it('stop it', async () => {
    await command(['service', 'install'], manager())
    const systemd = manager()
    expect((await command(['service', 'stop'], systemd)).exit).toBe(0)
    expect(systemd.calls.at(-1)).toMatch(/^systemctl --user stop countersign/)
  })
})

describe('service status', () => {
  it('tells what is installed, switched on and running', async () => {
    expect((await command(['service', 'status'], manager())).text).toContain('not installed')
    await command(['service', 'install'], manager())
    const output = 'ActiveState=active\nSubState=running\nMainPID=77\nUnitFileState=enabled\nNRestarts=0\n'
    const systemd = manager({ show: { ...well, output } })
    const { text } = await command(['service', 'status', '--json'], systemd)
    expect(JSON.parse(text)).toMatchObject({
      installed: true,
      enabled: true,
      active: true,
      pid: 77,
      problem: null,
    })
    const silent = manager({ 'show-environment': { kind: 'missing' } })
    expect((await command(['service', 'status'], silent)).text).toContain('Run `countersign up` instead.')
  })
})

describe('service uninstall', () => {
  it('removes the files it wrote, also where systemd does not answer', async () => {
    await command(['service', 'install'], manager())
    const silent = manager({ disable: { kind: 'missing' }, 'daemon-reload': { kind: 'missing' } })
    const { exit, text } = await command(['service', 'uninstall', '--json'], silent)
    expect(exit).toBe(0)
    expect(JSON.parse(text).removed).toHaveLength(2)
    expect(existsSync(shimPath(home.paths))).toBe(false)
    expect((await command(['service', 'uninstall'], manager())).text).toContain('Nothing was removed')
  })
})

describe('service logs', () => {
  const log = () => gatewayLog(home.paths.logs)

  it('prints the end of the log, with what could harm a terminal made visible', async () => {
    expect((await command(['service', 'logs'], manager())).exit).toBe(3)
    mkdirSync(dirname(log()), { recursive: true })
    writeFileSync(log(), 'one\ntwo\n\u001b[2Jthree\n')
    const { text } = await command(['service', 'logs', '--lines', '2'], manager())
    expect(text).toBe('two\n⟨U+001B⟩[2Jthree\n')
    const { text: json } = await command(['service', 'logs', '--json'], manager())
    expect(JSON.parse(json).lines).toHaveLength(3)
  })

  it('goes on with what is written, until it is ended', async () => {
    mkdirSync(dirname(log()), { recursive: true })
    writeFileSync(log(), 'one\n')
    const host = testHost({ home, platform: 'linux' })
    const following = run(['service', 'logs', '-f', '--wait', '20s'], host)
    await expect.poll(() => host.written()).toBe('one\n')
    appendFileSync(log(), 'two\nhal')
    await expect.poll(() => host.written()).toBe('one\ntwo\n')
    appendFileSync(log(), 'f\n')
    await expect.poll(() => host.written()).toBe('one\ntwo\nhalf\n')
    host.output.emit('close')
    expect(await following).toBe(0)
  })

  it('has no JSON for what never ends, and refuses a wrong count', async () => {
    expect((await command(['service', 'logs', '-f', '--json'], manager())).exit).toBe(2)
    expect((await command(['service', 'logs', '--lines', 'many'], manager())).exit).toBe(2)
  })
})
