import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Autonomy,
  CountersignError,
  idFrom,
  type ProviderView,
  type SetupStepId,
  SetupStepId as Steps,
} from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAutonomy } from '../autonomy.ts'
import { createFlow } from './flow.ts'
import { modelStep } from './model-step.ts'
import { sampleDownloads, sampleMessage } from './sample.ts'
import type { SetupStepHandler, SetupStepHandlers } from './setup-step.ts'
import { openStepRecords } from './step-records.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-onboarding-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const operator = idFrom('op', '01a1d000-0000-7000-8000-000000000000')
const by = { operator, actor: { kind: 'operator', id: 'laptop' } } as const
const signal = new AbortController().signal

interface Scripted {
  readonly entries: string[]
  /** Says that the step came to its end by itself. */
  readonly over: Set<SetupStepId>
  readonly problems: unknown[]
}

function open(script: Scripted = { entries: [], over: new Set(), problems: [] }, refuses?: SetupStepId) {
  const handler = (id: SetupStepId): SetupStepHandler<'reach'> => ({
    skippable: id !== 'model',
    look: async () => ({ data: { ways: [], arrived: null }, done: script.over.has(id) }),
    answer: async () => {
      if (id === refuses)
        throw new CountersignError('model_unavailable', 'The key was refused.', { next: 'Paste it again.' })
      return id === 'action' ? { notes: { begun: true } } : { done: true }
    },
  })
  const handlers = Object.fromEntries(
    Steps.options.map((id) => [id, handler(id)]),
  ) as unknown as SetupStepHandlers
  const flow = createFlow({
    handlers,
    records: openStepRecords(join(folder, 'onboarding.json'), (problem) => script.problems.push(problem)),
    act: async (_operator, { data }) =>
      script.entries.push(`${data['step'] as string} ${data['state'] as string}`),
    clock: () => new Date('2026-11-15T10:00:00Z'),
  })
  return { flow, script }
}

describe('the flow of the first run', () => {
  test('begins with nothing settled and the first step next', () => {
    expect(open().flow.summary('en')).toMatchObject({ settled: 0, total: 8, next: 'check' })
  })

  test('keeps each answer, so that another process goes on where it was', async () => {
    await open().flow.answer(by, 'check', {}, signal, 'en')
    await open().flow.skip(by, 'you', 'en')
    const { flow, script } = open()
    expect(flow.summary('en')).toMatchObject({ settled: 2, next: 'model' })
    await flow.answer(by, 'model', { choice: 'demo' }, signal, 'en')
    expect(script.entries).toEqual(['model done'])
    expect(open().flow.summary('en').next).toBe('safety')
  })

  test('a refused answer leaves the step to do and loses nothing before it', async () => {
    const { flow } = open(undefined, 'model')
    await flow.answer(by, 'check', {}, signal, 'en')
    const before = readFileSync(join(folder, 'onboarding.json'), 'utf8')
    await expect(flow.answer(by, 'model', { choice: 'demo' }, signal, 'en')).rejects.toMatchObject({
      next: 'Paste it again.',
    })
    expect(readFileSync(join(folder, 'onboarding.json'), 'utf8')).toBe(before)
    expect(flow.summary('en').next).toBe('you')
    await flow.answer(by, 'you', { name: 'Ana' }, signal, 'en')
    expect(flow.summary('en').next).toBe('model')
  })

  test('refuses to skip what the rest stands on', async () => {
    const { flow } = open()
    await expect(flow.skip(by, 'model', 'en')).rejects.toMatchObject({ code: 'usage' })
    expect(flow.summary('en').settled).toBe(0)
  })

  test('a step that begins something is done when a look says so, once', async () => {
    const { flow, script } = open()
    const began = await flow.answer(by, 'action', { action: 'tidy' }, signal, 'en')
    expect(began.steps.find(({ id }) => id === 'action')?.state).toBe('todo')
    script.over.add('action')
    await flow.view(operator, 'en')
    await flow.view(operator, 'en')
    expect(script.entries).toEqual(['action done'])
  })

  test('writes its steps in the language of the reader', async () => {
    const { flow } = open()
    expect(flow.summary('de').steps.find(({ id }) => id === 'you')?.title).toBe('Du')
    const [first] = (await flow.view(operator, 'de')).steps
    expect(first).toMatchObject({ id: 'check', title: 'Diesen Computer prüfen' })
  })

  test('skipping what is done changes nothing', async () => {
    const { flow } = open()
    await flow.answer(by, 'you', { name: 'Ana' }, signal, 'en')
    await flow.skip(by, 'you', 'en')
    expect(flow.summary('en').steps.find(({ id }) => id === 'you')?.state).toBe('done')
  })

  test('begins anew over a file that cannot be read, and says so', () => {
    writeFileSync(join(folder, 'onboarding.json'), '{"schema":1,')
    const { flow, script } = open()
    expect(flow.summary('en').settled).toBe(0)
    expect(script.problems.length).toBeGreaterThan(0)
  })
})

describe('the step of the model', () => {
  function providers(ok: boolean) {
    const known: ProviderView[] = []
    const changes: string[] = []
    const admin = {
      list: async () => known,
      detect: async () => [],
      add: async (_by: unknown, { name, kind }: { name: string; kind: ProviderView['kind'] }) => {
        changes.push(`add ${name}`)
        known.push({ name, kind } as ProviderView)
        return {} as never
      },
      set: async (_by: unknown, name: string) => {
        changes.push(`set ${name}`)
        return {} as never
      },
      remove: async (_by: unknown, name: string) => {
        changes.push(`remove ${name}`)
        known.splice(0)
        return {} as never
      },
      test: async (_by: unknown, name: string) => ({
        ok,
        model: `${name}/m`,
        firstTokenMs: 12,
        totalMs: 40,
        tokens: { input: 1, output: 1 },
        usd: 0.001,
        text: 'Ready.',
        tools: true,
        problem: ok ? null : 'The key was refused.',
        next: ok
          ? null
          : 'Can this machine reach it? If not: `countersign provider set anthropic --address <url>`.',
      }),
    }
    const routes: unknown[] = []
    const handler = modelStep({
      providers: admin,
      models: {
        model: async () => ({ title: 'M', price: null }) as never,
        setRoute: async (_by, _purpose, route) => routes.push(route) as never,
      },
      next: async () => ({ next: null }),
      clock: () => new Date(),
    })
    return { handler, changes, routes }
  }
  const record = { state: 'todo', at: null, notes: {} } as const
  const key = { choice: 'key', kind: 'anthropic', key: 'sk-ant-0123456789' } as const

  test('adds, tries and chooses in one go', async () => {
    const { handler, changes, routes } = providers(true)
    const { done, notes } = await handler.answer(by, key, record, signal)
    expect(done).toBe(true)
    expect(changes).toEqual(['add anthropic'])
    expect(routes).toEqual([{ strategy: 'fallback', models: ['anthropic/m'] }])
    expect(notes).toMatchObject({ chosen: { ref: 'anthropic/m', firstTokenMs: 12, usd: 0.001 } })
    expect(JSON.stringify(notes)).not.toContain('sk-ant')
  })

  test('takes a key that does not work away again, and chooses nothing', async () => {
    const { handler, changes, routes } = providers(false)
    await expect(handler.answer(by, key, record, signal)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'The key was refused.',
      // No command about a provider that is gone.
      next: 'Can this machine reach it? Nothing was kept. Try again, or choose another model or the demo.',
    })
    expect(changes).toEqual(['add anthropic', 'remove anthropic'])
    expect(routes).toEqual([])
  })

  test('refuses a server that was not found, and a choice of what is not set up', async () => {
    const { handler } = providers(true)
    await expect(
      handler.answer(by, { choice: 'detected', name: 'ollama' }, record, signal),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(handler.answer(by, { choice: 'current' }, record, signal)).rejects.toMatchObject({
      code: 'usage',
    })
  })
})

describe('the level of autonomy', () => {
  const file = () => join(folder, 'config.json')
  function level(fixed = false) {
    const loaded: string[] = []
    const admin = createAutonomy({
      file: file(),
      level: 'medium',
      fixed,
    })
    const set = (wanted: Autonomy) => admin.set(wanted, async (each) => loaded.push(each))
    return { admin: { ...admin, set }, loaded }
  }

  test('takes hold at once and is written beside what the file says already', async () => {
    writeFileSync(file(), '{"port":7000}')
    const { admin, loaded } = level()
    await admin.set('none')
    expect(admin.current()).toBe('none')
    expect(loaded).toEqual(['none'])
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ port: 7000, autonomy: 'none' })
  })

  test('goes back when it cannot be written', async () => {
    mkdirSync(file())
    const { admin, loaded } = level()
    await expect(admin.set('low')).rejects.toThrow()
    expect(admin.current()).toBe('medium')
    expect(loaded.at(-1)).not.toBe('low')
  })

  test('does not touch a file that is not a JSON object', async () => {
    writeFileSync(file(), 'port: 7000')
    const { admin } = level()
    await expect(admin.set('low')).rejects.toMatchObject({ code: 'config_invalid' })
    expect(readFileSync(file(), 'utf8')).toBe('port: 7000')
    expect(admin.current()).toBe('medium')
  })

  test('is not changed where the environment sets it', async () => {
    await expect(level(true).admin.set('low')).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('the sample folder', () => {
  test('is made fresh each time, beside what is there', () => {
    expect(sampleDownloads(folder)).toBe('Sample/Downloads')
    expect(sampleDownloads(folder)).toBe('Sample/Downloads-2')
    expect(readdirSync(join(folder, 'Sample', 'Downloads'))).toHaveLength(6)
    expect(sampleMessage(folder)).toBe(sampleMessage(folder))
  })

  test('is never written through a link', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'countersign-elsewhere-'))
    symlinkSync(elsewhere, join(folder, 'Sample'))
    expect(() => sampleDownloads(folder)).toThrow(/not a folder/)
    expect(readdirSync(elsewhere)).toEqual([])
    rmSync(elsewhere, { recursive: true })
  })
})
