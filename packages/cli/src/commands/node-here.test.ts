import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskNode, NodeLine } from '../node-program.ts'
import { run } from '../program.ts'
import { servicePathsFor } from '../service/service-paths.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

const status = {
  paired: true,
  name: 'laptop',
  address: 'https://house.example',
  shared: '/home/ana/Countersign',
  problem: null,
  running: { pid: 7, state: 'connected', reason: '' },
  paused: false,
  policy: { maxTier: 3 },
  policyFile: '/home/ana/node-policy.json',
  policyProblem: null,
  witnessed: 12,
  witnessedAt: new Date().toISOString(),
  complaint: null,
  devices: [
    { id: 'dev_1', name: 'host', reach: 3 },
    { id: 'dev_2', name: 'phone', reach: 3 },
  ],
  capabilities: [
    { capability: 'files', state: 'ready', reason: '', fix: '' },
    { capability: 'camera', state: 'off', reason: 'Its owner switched camera off there.', fix: '' },
    { capability: 'screen', state: 'missing', reason: 'No program here can do it.', fix: 'Install grim.' },
  ],
}

/** Answers as the node program would, and keeps what it was asked. */
function nodeProgram(answers: Readonly<Record<string, readonly NodeLine[]>> = {}, exit = 0) {
  const asked: { folder: string; ask: Record<string, unknown> }[] = []
  const askNode: AskNode = async (command, take) => {
    const one = command as (typeof asked)[number]
    asked.push(one)
    const verb = String(one.ask['do'])
    const usual: NodeLine[] = [{ type: 'done', data: verb === 'status' ? status : {} }]
    for (const line of answers[verb] ?? usual) take(line)
    return exit
  }
  return { asked, askNode }
}

async function command(argv: readonly string[], askNode: AskNode) {
  const host = { ...testHost({ home, platform: 'linux' }), askNode }
  const exit = await run(argv, host)
  return { exit, text: host.written(), complaints: host.complaints() }
}

describe('node pair', () => {
  it('shares nothing that Countersign keeps for itself', async () => {
    const { asked, askNode } = nodeProgram({ pair: [] }, 0)
    const { data, keys, deviceKey } = home.paths
    for (const folder of [data, keys, dirname(deviceKey), dirname(data), '/']) {
      const argv = ['node', 'pair', 'http://127.0.0.1:7347', '--folder', folder]
      expect((await command(argv, askNode)).complaints, folder).toContain('keeps for itself')
    }
    expect(asked).toEqual([])
  })

  it('shows the words and what comes next, and asks with a name and a folder', async () => {
    const done = { type: 'done', data: { name: 'studio', shared: '/srv/shared' } }
    const words = ['apple', 'river', 'chair', 'moon', 'lamp', 'fox']
    const { asked, askNode } = nodeProgram({ pair: [{ type: 'words', words, expiresAt: '' }, done] })
    const argv = ['node', 'pair', 'https://house.example', '--name', 'studio', '--folder', '/srv/shared']
    const { exit, text, complaints } = await command([...argv, '--invitation', 'secret'], askNode)
    expect(exit).toBe(0)
    expect(complaints).toContain('apple river chair moon lamp fox')
    expect(complaints).toContain('countersign node approve')
    expect(text).toContain('countersign node run')
    expect(asked[0]).toMatchObject({
      folder: join(home.paths.data, 'node'),
      ask: { do: 'pair', address: 'https://house.example', name: 'studio', invitation: 'secret' },
    })
  })

  it('says what to do where it failed, with the exit code of the program', async () => {
    const failed = { type: 'failed', code: 'expired', message: 'The words expired.', next: 'Run it again.' }
    const { askNode } = nodeProgram({ pair: [failed] }, 7)
    const { exit, complaints } = await command(['node', 'pair', 'https://house.example'], askNode)
    expect(exit).toBe(7)
    expect(complaints).toContain('The words expired.\nRun it again.')
  })

  it('says so when the program ends without a word', async () => {
    const { askNode } = nodeProgram({ pair: [] }, 0)
    expect((await command(['node', 'pair', 'https://house.example'], askNode)).exit).not.toBe(0)
  })
})

describe('node status', () => {
  it('shows the connection, the ledger, whom it believes, and what stands in the way', async () => {
    const { text } = await command(['node', 'status'], nodeProgram().askNode)
    for (const words of [
      'laptop',
      'connected',
      '12 entries seen',
      'host, phone',
      'To have screen: Install grim.',
    ])
      expect(text).toContain(words)
  })

  it('says that it complains, and what to do', async () => {
    const data = { ...status, complaint: 'another history was seen before' }
    const { text } = await command(
      ['node', 'status'],
      nodeProgram({ status: [{ type: 'done', data }] }).askNode,
    )
    expect(text).toContain('complains: another history was seen before')
  })

  it('shows no character of others that a terminal obeys', async () => {
    const data = { ...status, name: 'lap\u001b[31mtop' }
    const { text } = await command(
      ['node', 'status'],
      nodeProgram({ status: [{ type: 'done', data }] }).askNode,
    )
    expect(text).not.toContain('\u001b')
  })

  it('says how to become one', async () => {
    const none = nodeProgram({ status: [{ type: 'done', data: { paired: false } }] })
    expect((await command(['node', 'status'], none.askNode)).text).toContain('countersign node pair')
  })
})

describe('node caps', () => {
  it('switches what is named, by commas or one by one', async () => {
    const { asked, askNode } = nodeProgram()
    await command(['node', 'caps', '--on', 'camera,location', '--off', 'shell', '--max-tier', '2'], askNode)
    expect(asked[0]?.ask).toEqual({ do: 'caps', on: ['camera', 'location'], off: ['shell'], maxTier: 2 })
  })

  it('refuses what there is not, before anything is asked', async () => {
    const { asked, askNode } = nodeProgram()
    expect((await command(['node', 'caps', '--on', 'everything'], askNode)).exit).toBe(2)
    expect((await command(['node', 'caps', '--max-tier', '5'], askNode)).exit).toBe(2)
    expect(asked).toEqual([])
  })
})

describe('node forget-device', () => {
  it('names the device by its name, and needs a confirmation', async () => {
    const { asked, askNode } = nodeProgram()
    expect((await command(['node', 'forget-device', 'phone'], askNode)).exit).toBe(2)
    expect(asked.map(({ ask }) => ask['do'])).toEqual(['status'])
    expect((await command(['node', 'forget-device', 'phone', '--yes'], askNode)).exit).toBe(0)
    expect(asked.at(-1)?.ask).toEqual({ do: 'forget-device', device: 'dev_2' })
  })

  it('refuses a word that could mean two', async () => {
    const { askNode } = nodeProgram()
    const { exit, complaints } = await command(['node', 'forget-device', 'dev_', '--yes'], askNode)
    expect(exit).toBe(2)
    expect(complaints).toContain('host (dev_1), phone (dev_2)')
  })
})

describe('node install', () => {
  const services = () => {
    const { environment, platform } = testHost({ home, platform: 'linux' })
    const found = servicePathsFor({ platform, environment, paths: home.paths, user: 1, of: 'node' })
    if (!found) throw new Error('There are services here.')
    return found
  }
  const install = async (...argv: string[]) => {
    const calls: string[] = []
    const runProgram = async (program: string, args: readonly string[]) => {
      calls.push([program, ...args].join(' '))
      return { kind: 'ran', code: 0, output: '', errors: '' } as const
    }
    const host = testHost({ home, runProgram, platform: 'linux' })
    const exit = await run(['node', 'install', ...argv], host)
    return { exit, calls, text: host.written(), complaints: host.complaints() }
  }

  it('refuses where nothing is paired', async () => {
    const { exit, calls, complaints } = await install()
    expect(exit).toBe(3)
    expect(calls).toEqual([])
    expect(complaints).toContain('countersign node pair')
  })

  it('writes a service of its own beside the one of the gateway, starts it, and removes it', async () => {
    mkdirSync(join(home.paths.data, 'node'), { recursive: true })
    writeFileSync(join(home.paths.data, 'node', 'pairing.json'), '{}')
    const service = services()
    const { exit, calls } = await install()
    expect(exit).toBe(0)
    expect(service.name).toMatch(/^countersign-node-[0-9a-f]{8}\.service$/)
    expect(calls.at(-1)).toBe(`systemctl --user restart ${service.name}`)
    const unit = readFileSync(service.file, 'utf8')
    expect(unit).toContain('Description=Countersign node')
    expect(unit).toMatch(/^ExecStart=".*countersign-node" node run$/m)
    expect((await install('--remove')).exit).toBe(0)
    expect(existsSync(service.file)).toBe(false)
  })
})
