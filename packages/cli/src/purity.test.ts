import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorCatalogue } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandRow } from './command-row.ts'
import { commandTable } from './command-table.ts'
import { run } from './program.ts'
import { type FakeGateway, fakeGateway } from './testing/gateway.ts'
import { type TestHome, testHome, testHost } from './testing/home.ts'

/** Commands that would do something real here with arguments that fit: they are given some that do not. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  up: ['--port', 'x'],
  'tool new': ['Not A Name'],
  'tool test': ['./no-such-tool.ts'],
  'plugin new': ['Not A Name'],
  'plugin test': ['./no-such-plugin'],
}

let home: TestHome
let stray: string[]
beforeEach(() => {
  home = testHome()
  stray = []
  // Whatever does not go through the host would stand beside the document.
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      stray.push(String(text))
      return true
    })
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation((...words) => {
      stray.push(words.join(' '))
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  home.remove()
})

interface Document {
  readonly ok: boolean
  readonly error?: { readonly type: string; readonly message: string; readonly next: string }
}

/** Runs with --json and insists on exactly one document whose failure has the exit code of its row. */
async function document(argv: readonly string[], more: Partial<Parameters<typeof testHost>[0]> = {}) {
  const host = testHost({ home, platform: 'linux', values: { COUNTERSIGN_PORT: '0' }, ...more })
  host.typed.end()
  const exit = await run([...argv, '--json'], host)
  const text = host.written()
  expect(stray, argv.join(' ')).toEqual([])
  expect(text.indexOf('\n'), `${argv.join(' ')}: ${text}`).toBe(text.length - 1)
  const value = JSON.parse(text) as Document
  expect(value.ok, argv.join(' ')).toBe(exit === 0)
  if (!value.ok) {
    const { type, message, next } = value.error ?? { type: '', message: '', next: '' }
    expect(Object.keys(errorCatalogue), argv.join(' ')).toContain(type)
    expect(exit, `${argv.join(' ')}: ${type}`).toBe(errorCatalogue[type as ErrorCode].exit)
    expect(message.length, argv.join(' ')).toBeGreaterThan(0)
    expect(next.length, argv.join(' ')).toBeGreaterThan(0)
  }
  return { exit, value }
}

const words = (row: CommandRow) => row.name.split(' ')
const rows = commandTable.map((row) => [row.name, row] as const)

function fittingArguments(row: CommandRow): readonly string[] {
  return (
    harmless[row.name] ??
    row.arguments.filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? 'x1')
  )
}

describe.each(rows)('%s', (_name, row) => {
  it('answers for help with one document', async () => {
    const { exit, value } = await document([...words(row), '--help'])
    expect(exit).toBe(0)
    expect(value).toMatchObject({ ok: true, help: expect.stringContaining('Examples:') })
  })

  it('answers without a gateway with one document', async () => {
    await document([...words(row), ...fittingArguments(row)])
  })

  it('answers an unknown option with one document and 2', async () => {
    const { exit, value } = await document([...words(row), ...fittingArguments(row), '--no-such-option'])
    expect(exit).toBe(2)
    expect(value.error?.type).toBe('usage')
  })

  it.skipIf(row.arguments.some(({ many }) => many))(
    'answers too many arguments with one document and 2',
    async () => {
      const many = Array.from(
        { length: row.arguments.length + 1 },
        (_one, at) => row.arguments[at]?.choices?.[0] ?? 'x1',
      )
      expect((await document([...words(row), ...many])).exit).toBe(2)
    },
  )

  it.runIf(row.arguments.some(({ required }) => required))(
    'answers a missing argument with one document and 2',
    async () => {
      expect((await document(words(row))).exit).toBe(2)
    },
  )
})

describe('against a gateway', () => {
  let stage: TestHome
  let gateway: FakeGateway
  beforeAll(async () => {
    stage = testHome()
    gateway = await fakeGateway(stage.paths, stage.establish())
  })
  afterAll(async () => {
    await gateway.close()
    stage.remove()
  })

  /** The last of them ends with the process that it is given, which is this one. */
  const never = ['up', 'down', 'uninstall', 'tool new', 'tool test', 'plugin new', 'plugin test']
  const readers = rows.filter(([name]) => !never.includes(name))

  it.each(readers)('%s answers with one document', async (_name, row) => {
    await document([...words(row), ...fittingArguments(row), '--wait', '300ms'], {
      home: stage,
      WebSocket: gateway.WebSocket,
    })
  })
})

describe('on a host where things are wrong', () => {
  it('status answers with one document when a folder stands where a file should', async () => {
    mkdirSync(home.paths.trust, { recursive: true })
    mkdirSync(join(home.paths.lease, '12.json'), { recursive: true })
    await document(['status'])
    await document(['doctor'])
    await document(['paths'])
  })

  it('help of nouns and of the program is one document', async () => {
    for (const noun of new Set(commandTable.map(({ name }) => name.split(' ')[0] ?? ''))) {
      await document([noun, '--help'])
      await document(['help', noun])
    }
    await document(['--help'])
    await document(['--version'])
    expect((await document(['no-such-command'])).exit).toBe(2)
    await document([])
  })
})
