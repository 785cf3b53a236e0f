import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { CountersignError, type Onboarding, SetupStepId } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Gateway } from '../connection.ts'
import { createContext } from '../context.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { typeLines } from '../testing/typed-lines.ts'
import { onboard } from './onboard.ts'
import { answerFrom, readAnswers } from './onboard-file.ts'
import { kindOf, runOnboarding } from './onboard-steps.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

const data: { readonly [Id in SetupStepId]: unknown } = {
  check: { findings: [{ id: 'disk', title: 'Disk', severity: 'ok', evidence: '9 GiB', fix: '' }] },
  you: { name: null, passkey: false },
  model: { detected: [], kinds: [{ kind: 'anthropic', title: 'Anthropic' }], current: null, chosen: null },
  safety: {
    cards: [
      { choice: 'boundaries', level: 'medium', title: 'Ask me at boundaries', about: '', asks: 31 },
      { choice: 'everything', level: 'none', title: 'Ask me for everything', about: '', asks: 418 },
      { choice: 'custom', level: null, title: 'I choose', about: '', asks: null },
    ],
    levels: [],
    calls: 1000,
    level: 'medium',
    fixed: null,
    monthlyUsd: 10,
    unattendedUsd: 0,
    suggestedUnattendedUsd: 1,
    chosen: null,
  },
  action: { choices: [], progress: null },
  reach: { ways: [], arrived: null },
  keep: {
    manager: 'systemd',
    preview: 'Writes a file.',
    command: 'countersign service install',
    completions: [],
  },
  recipes: {
    recipes: [
      {
        id: 'brief',
        name: 'Morning brief',
        sentence: 'every weekday 8:00',
        about: '',
        may: 'Looks.',
        tierMax: 0,
        maxCostUsd: 0.05,
        added: null,
      },
    ],
    unattendedUsd: 0,
  },
}

/** A gateway that settles whatever it is told, and remembers it. */
function scripted(refuse: (request: FakeRequest) => string | undefined = () => undefined) {
  const states: Partial<Record<SetupStepId, 'done' | 'skipped'>> = {}
  const told: [string, unknown][] = []
  const view = (): Onboarding => {
    const steps = SetupStepId.options.map((id) => ({
      id,
      title: `Step ${id}`,
      about: '',
      state: states[id] ?? 'todo',
      skippable: true,
      at: null,
      data: data[id],
    }))
    const next = steps.find(({ state }) => state === 'todo')?.id ?? null
    return {
      steps,
      settled: steps.filter(({ state }) => state !== 'todo').length,
      total: 8,
      next,
    } as Onboarding
  }
  const client = fakeClient((request) => {
    if (request.path === '/v1/channels') return []
    const [, id, skip] = /^\/v1\/onboarding\/(\w+)(\/skip)?$/.exec(request.path) ?? []
    if (id === undefined) return view()
    const reason = refuse(request)
    if (reason !== undefined)
      throw new CountersignError('model_unavailable', reason, { next: 'Paste it again.' })
    told.push([`${id}${skip ?? ''}`, request.body])
    states[SetupStepId.parse(id)] = skip === undefined ? 'done' : 'skipped'
    return view()
  })
  return { client, told, states }
}

async function typed(lines: string[], gateway: { readonly client: Gateway['client'] }) {
  const host = testHost({ home, terminal: true, values: { NO_COLOR: '1', TERM: 'dumb' } })
  Object.assign(host.input, { setRawMode: () => undefined })
  const typing = typeLines(host, lines)
  const ran: string[] = []
  try {
    const walked = await runOnboarding({
      context: createContext(host, usualFlags),
      gateway: gateway as Gateway,
      run: async (name) => {
        ran.push(name)
        return true
      },
    })
    return { walked, text: stripVTControlCharacters(host.written()), ran }
  } finally {
    typing.stop()
  }
}

describe('onboard in a terminal', () => {
  test('goes through with a name and Enter for the rest', async () => {
    const gateway = scripted()
    const { walked, text, ran } = await typed(['Ana', '', '', '', '', 's', '', 'y', '1'], gateway)
    expect(walked).toBe('through')
    expect(gateway.told).toEqual([
      ['check', {}],
      ['you', { name: 'Ana' }],
      ['model', { choice: 'demo' }],
      ['safety', { choice: 'boundaries', monthlyUsd: 10, unattendedUsd: 1 }],
      ['action/skip', {}],
      ['reach/skip', {}],
      ['keep', {}],
      ['recipes', { recipes: [{ id: 'brief', status: 'paused' }] }],
    ])
    expect(ran).toEqual(['service install'])
    expect(text).toContain('In our test week: about 4 questions a day.')
  })

  test('a key that is refused is asked for again, and never shown', async () => {
    const gateway = scripted(({ body }) =>
      JSON.stringify(body).includes('wrong') ? 'The key was refused.' : undefined,
    )
    const { text } = await typed(['', 'k', 'sk-ant-wrong-wrong', 'k', 'sk-ant-right-right', 'q'], gateway)
    expect(text).toContain('The key was refused.')
    expect(text).toContain('Paste it again.')
    expect(text).not.toContain('sk-ant')
    expect(gateway.told).toContainEqual([
      'model',
      { choice: 'key', kind: 'anthropic', key: 'sk-ant-right-right' },
    ])
  })

  test('leaves at q and for the browser at o, with what was answered kept', async () => {
    const gateway = scripted()
    expect((await typed(['Ana', 'q'], gateway)).walked).toBe('left')
    expect(gateway.states).toEqual({ check: 'done', you: 'done' })
    expect((await typed(['o'], gateway)).walked).toBe('browser')
    expect(gateway.states).toEqual({ check: 'done', you: 'done' })
  })

  test('knows whose key it is only where that is plain', () => {
    expect(kindOf('sk-ant-api03-x')).toBe('anthropic')
    expect(kindOf('gsk_x')).toBe('groq')
    expect(kindOf('sk-1234')).toBeUndefined()
  })
})

describe('onboard from a file', () => {
  const file = (name: string, text: string) => {
    const path = join(home.folder, name)
    writeFileSync(path, text)
    return path
  }

  test('answers what the file says, skips what it names, and leaves the rest', async () => {
    const gateway = scripted()
    const given = readAnswers(
      file('answers.yaml', 'you:\n  name: Ana\nmodel:\n  choice: demo\nskip:\n  - reach\n'),
    )
    const context = createContext(testHost({ home }), usualFlags)
    const view = await answerFrom(context, gateway.client, given)
    expect(gateway.told.map(([step]) => step)).toEqual(['check', 'you', 'model', 'reach/skip'])
    expect(view.next).toBe('safety')
  })

  test('takes a key from a file of its own', () => {
    file('key.txt', 'sk-ant-0123456789\n')
    const path = file('a.json', '{"model":{"choice":"key","kind":"anthropic","keyFile":"key.txt"}}')
    expect(readAnswers(path).answers.model).toEqual({
      choice: 'key',
      kind: 'anthropic',
      key: 'sk-ant-0123456789',
    })
  })

  test.each([
    ['a.json', '{"yuo":{"name":"Ana"}}', 'is not a step'],
    ['a.json', '{"you":{"nmae":"Ana"}}', 'you'],
    ['a.json', 'you:\n  name: Ana', 'not JSON'],
    ['a.yaml', 'you: {name: Ana}', 'line 1'],
    ['a.json', '{"skip":["everything"]}', 'under skip'],
  ])('refuses %s with %j before anything is started', (name, text, reason) => {
    expect(() => readAnswers(file(name, text))).toThrow(reason)
  })

  test('says that the two options go together', async () => {
    const context = createContext(testHost({ home }), usualFlags)
    expect(await onboard(context, [], { nonInteractive: true })).toMatchObject({ failure: { type: 'usage' } })
    expect(await onboard(context, [], { config: 'a.json' })).toMatchObject({ failure: { type: 'usage' } })
  })
})
