import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { homePaths } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { agentProgram, agentState } from './launchd.ts'
import { installSteps, serviceText, startedBy, uninstallSteps, verbSteps } from './plan.ts'
import { type ServicePaths, servicePathsFor } from './service-paths.ts'
import { stepText } from './service-step.ts'
import { isPassing, nothingFoundExit, shimProgram, shimText } from './shim.ts'
import { unitProgram, unitState } from './systemd.ts'

const golden = join(import.meta.dirname, 'golden')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-service-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function placeAt(
  platform: 'linux' | 'darwin',
  values: Record<string, string>,
  home = '/home/ana/countersign',
): ServicePaths {
  const all = { HOME: '/home/ana', COUNTERSIGN_HOME: home, PATH: '/home/ana/.nvm/v24/bin:/bin', ...values }
  const environment = readEnvironment(all, platform)
  const servicePaths = servicePathsFor({
    platform,
    environment,
    paths: homePaths(environment.home, platform),
    user: 501,
  })
  if (servicePaths === undefined) throw new Error('This platform has services.')
  return servicePaths
}

describe('the files of a service', () => {
  it('are a unit for systemd, with its environment written out', async () => {
    const servicePaths = placeAt('linux', { COUNTERSIGN_PORT: '7348', COUNTERSIGN_MODEL_KEY: 'secret' })
    await expect(serviceText(servicePaths)).toMatchFileSnapshot(join(golden, 'unit.service'))
  })

  it('are a property list for launchd', async () => {
    await expect(serviceText(placeAt('darwin', {}))).toMatchFileSnapshot(join(golden, 'agent.plist'))
  })

  it('are a shim that finds Node and the program', async () => {
    const text = shimText({ node: '/home/ana/.nvm/v24/bin/node', program: "/home/ana/it's/countersign.js" })
    await expect(text).toMatchFileSnapshot(join(golden, 'shim.sh'))
    expect(shimProgram(text)).toBe("/home/ana/it's/countersign.js")
    expect(shimProgram('#!/bin/sh\nexec node x.js\n')).toBeUndefined()
  })

  it.each(['linux', 'darwin'] as const)(
    'never name the Node of a version manager or a secret on %s',
    (platform) => {
      const servicePaths = placeAt(platform, {
        COUNTERSIGN_DATABASE_URL: 'postgresql://a:hidden@b/c',
        OPENAI_API_KEY: 'hidden',
      })
      expect(serviceText(servicePaths)).not.toMatch(/\.nvm|hidden/)
    },
  )

  it.each(['linux', 'darwin'] as const)('keep every character of a strange folder on %s', (platform) => {
    const home = '/srv/a b/100%/"x" & <y>/$z\\w'
    const servicePaths = placeAt(platform, {}, home)
    expect(startedBy(servicePaths, serviceText(servicePaths))).toBe(servicePaths.shim)
  })

  it('are named after a home of their own, and plainly otherwise', () => {
    expect(placeAt('linux', {}).name).toMatch(/^countersign-[0-9a-f]{8}\.service$/)
    const environment = readEnvironment({ HOME: '/home/ana' }, 'linux')
    const paths = homePaths(environment.home, 'linux')
    expect(servicePathsFor({ platform: 'linux', environment, paths, user: 1 })?.name).toBe(
      'countersign.service',
    )
    expect(servicePathsFor({ platform: 'win32', environment, paths, user: 1 })).toBeUndefined()
  })

  it('start no program when none is named', () => {
    expect(unitProgram('[Service]\nType=exec\n')).toBeUndefined()
    expect(agentProgram('<plist></plist>')).toBeUndefined()
  })
})

describe('the unit', () => {
  const analyze = spawnSync('systemd-analyze', ['--version']).status === 0

  it.runIf(analyze)('is accepted by systemd itself, and a wrong one is not', () => {
    const servicePaths = placeAt('linux', { HOME: folder }, join(folder, 'home 1'))
    mkdirSync(dirname(servicePaths.shim), { recursive: true })
    writeFileSync(servicePaths.shim, shimText({ node: process.execPath, program: import.meta.filename }), {
      mode: 0o755,
    })
    const check = (text: string) => {
      const file = join(folder, servicePaths.name)
      writeFileSync(file, text)
      return spawnSync('systemd-analyze', ['--user', 'verify', '--man=no', file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: folder },
      })
    }
    const { status, stderr } = check(serviceText(servicePaths))
    expect(stderr).not.toContain(servicePaths.name)
    expect(status).toBe(0)
    expect(check(serviceText(servicePaths).replace('Type=exec', 'Type=never')).stderr).toContain(
      servicePaths.name,
    )
  })
})

describe('the shim', () => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, 0o755)
    return path
  }
  const started = (shim: string, environment: Record<string, string> = {}) =>
    spawnSync('/bin/sh', [shim, 'up', '--foreground'], {
      encoding: 'utf8',
      env: { HOME: folder, PATH: '/usr/bin:/bin', ...environment },
    })

  it('is a script that a plain shell can read', () => {
    execFileSync('/bin/sh', ['-n'], { input: shimText({ node: '/n', program: '/p' }) })
  })

  it('starts the program with its arguments', () => {
    const program = write('program.mjs', 'console.log(process.argv.slice(2).join(" "))')
    const shim = write('shim', shimText({ node: process.execPath, program }))
    expect(started(shim)).toMatchObject({ status: 0, stdout: 'up --foreground\n' })
  })

  it('finds another Node and another program when those of the installation are gone', () => {
    write('.npm-global/lib/node_modules/countersign/countersign.js', 'console.log("found")')
    const shim = write('shim', shimText({ node: '/gone/node', program: '/gone/countersign.js' }))
    expect(started(shim, { COUNTERSIGN_NODE: process.execPath })).toMatchObject({
      status: 0,
      stdout: 'found\n',
    })
    write('.nvm/versions/node/v24/bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
    expect(started(shim, { PATH: '/nowhere' }).stdout).toBe('found\n')
  })

  it('refuses a Node that is too old, and says so with the code that ends all trying', () => {
    const old = write('old-node', '#!/bin/sh\nexit 1\n')
    const shim = write('shim', shimText({ node: old, program: '/gone' }))
    const { status, stderr } = started(shim, { PATH: join(folder, 'empty') })
    // A Node of this machine in a usual place may fit; then it is the program that is missing.
    expect(status).toBe(nothingFoundExit)
    expect(stderr).toContain('countersign service install')
  })

  it('is not made for a copy that npx will throw away', () => {
    expect(isPassing('/home/ana/.npm/_npx/1f/node_modules/countersign/countersign.js')).toBe(true)
    expect(isPassing('/usr/lib/node_modules/countersign/countersign.js')).toBe(false)
  })
})

describe('the steps', () => {
  const linux = placeAt('linux', {})
  const mac = placeAt('darwin', {})
  const runs = (steps: readonly Parameters<typeof stepText>[0][]) =>
    steps.filter(({ kind }) => kind === 'run').map(stepText)

  it('write before they run, and enable without starting', () => {
    const steps = installSteps(linux, { node: '/n', program: '/p' })
    expect(steps.map(({ kind }) => kind)).toEqual(['folder', 'write', 'write', 'run', 'run'])
    expect(runs(steps)).toEqual([
      'run   systemctl --user daemon-reload',
      `run   systemctl --user enable ${linux.name}`,
    ])
    expect(runs(installSteps(mac, { node: '/n', program: '/p' }))).toEqual([
      `run   launchctl enable gui/501/${mac.name}`,
    ])
  })

  it('start, stop and restart by the manager', () => {
    expect(runs(verbSteps('restart', linux))).toEqual([`run   systemctl --user restart ${linux.name}`])
    expect(runs(verbSteps('start', mac))).toEqual([
      `run   launchctl bootstrap gui/501 ${mac.file}`,
      `run   launchctl kickstart gui/501/${mac.name}`,
    ])
    expect(runs(verbSteps('stop', mac))).toEqual([`run   launchctl bootout gui/501/${mac.name}`])
    expect(runs(verbSteps('restart', mac))).toEqual([`run   launchctl kickstart -k gui/501/${mac.name}`])
  })

  it('never let a manager that refuses keep the files from being removed', () => {
    const steps = uninstallSteps(linux)
    expect(steps.every((step) => step.kind !== 'run' || step.mayFail)).toBe(true)
    expect(runs(steps)[0]).toBe(`run   systemctl --user disable --now ${linux.name}`)
  })
})

describe('what the managers say', () => {
  it('is read from systemd', () => {
    const output =
      'LoadState=loaded\nActiveState=active\nSubState=running\nMainPID=77\nUnitFileState=enabled\nNRestarts=2\n'
    expect(unitState(output)).toEqual({
      active: true,
      enabled: true,
      pid: 77,
      words: 'active (running), restarted 2 times',
    })
    expect(unitState('')).toMatchObject({ active: false, enabled: false, pid: null })
  })

  it('is read from launchd', () => {
    expect(agentState('x = {\n\tstate = running\n\tpid = 88\n}')).toMatchObject({ active: true, pid: 88 })
    expect(agentState('')).toMatchObject({ active: false, enabled: false, pid: null })
  })
})
