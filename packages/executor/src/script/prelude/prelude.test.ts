import { beforeAll, describe, expect, it } from 'vitest'
import { scriptLimits } from '../limits.ts'
import { type Machine, openMachine, runProgram } from '../machine.ts'
import type { EmbeddingCallAnswer, RawCall } from '../message.ts'
import { compileMachine } from '../wasm.ts'

let machine: Machine
beforeAll(async () => {
  machine = await openMachine(await compileMachine())
})

interface Given {
  readonly args?: object
  readonly network?: boolean
  readonly seed?: string
  readonly answer?: (call: RawCall) => EmbeddingCallAnswer
}

async function run(code: string, given: Given = {}): Promise<unknown> {
  const { args = {}, network = false, seed = 'seed', answer } = given
  const context = { toolName: 'probe', callId: 'call_1', conversationId: 'ses_1', userId: 'op_1' }
  const keys = ['mail', 'mail-work', 'mail.host', 'weather']
  const setup = { args, context, tools: ['calculate'], network, keys }
  const job = { name: 'probe', code, setup, now: Date.UTC(2026, 0, 30, 14, 30), seed, limits: scriptLimits }
  const end = await runProgram(machine, job, async (calls) =>
    answer ? { kind: 'answers', answers: calls.map(answer) } : { kind: 'stop' },
  )
  if (end.kind === 'failed') throw new Error(end.reason)
  return end.kind === 'returned' ? (JSON.parse(end.value) as unknown) : 'stopped'
}

const value = (expression: string, given?: Given) => run(`return ${expression}`, given)

describe('what a program finds around it', () => {
  it.each<[string, unknown]>([
    // Encoding
    ['utils.hash("a")', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
    ['utils.hash("a", "MD5")', '0cc175b9c0f1b6a831c399e269772661'],
    ['utils.hash("a", "sha-1")', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    ['utils.base64Encode("Grüße 🌍")', 'R3LDvMOfZSDwn4yN'],
    ['utils.base64Decode("R3LDvMOfZSDwn4yN")', 'Grüße 🌍'],
    ['utils.hexEncode("é")', 'c3a9'],
    ['utils.hexDecode("C3A9")', 'é'],
    ['utils.urlEncode("a b&c")', 'a%20b%26c'],
    ['utils.urlDecode("a%20b%26c")', 'a b&c'],
    // Dates
    ['utils.now()', '2026-01-30T14:30:00.000Z'],
    ['utils.timestamp()', 1769783400000],
    ['utils.dateDiff("2026-01-01", "2026-01-31")', 30],
    ['utils.dateDiff("2026-01-31", "2026-01-01", "weeks")', -4],
    ['utils.dateDiff("2026-01-31", "2026-03-30", "months")', 1],
    ['utils.dateDiff("2026-03-31", "2026-01-31", "month")', -2],
    ['utils.dateDiff("2020-02-29", "2026-02-27", "years")', 5],
    ['utils.dateDiff(0, 90000, "minutes")', 1],
    ['utils.dateAdd("2026-01-31", 1, "month")', '2026-02-28T00:00:00.000Z'],
    ['utils.dateAdd("2024-02-29", 1, "years")', '2025-02-28T00:00:00.000Z'],
    ['utils.dateAdd("2026-01-31T10:00:00Z", -90, "minutes")', '2026-01-31T08:30:00.000Z'],
    ['utils.dateAdd("2026-01-31", 1)', '2026-02-01T00:00:00.000Z'],
    ['utils.formatDate("2026-01-30")', '2026-01-30'],
    ['utils.formatDate("2026-01-30", "en-US")', '01/30/2026'],
    ['utils.formatDate("2026-01-30", "en-GB")', '30/01/2026'],
    ['utils.formatDate("2026-01-30", "de")', '30.01.2026'],
    ['new Date().getTimezoneOffset()', 0],
    // Text
    ['utils.slugify("Crème brûlée, à la carte!")', 'creme-brulee-a-la-carte'],
    ['utils.camelCase("hello big_world-now")', 'helloBigWorldNow'],
    ['utils.snakeCase("helloBigWorld")', 'hello_big_world'],
    ['utils.kebabCase("Hello big World")', 'hello-big-world'],
    ['utils.titleCase("the élan of it")', 'The Élan Of It'],
    ['utils.truncate("abcdef", 4)', 'abc…'],
    ['utils.truncate("abcd", 4)', 'abcd'],
    ['utils.truncate("🌍🌍🌍", 2)', '🌍…'],
    ['utils.countWords("It\'s one-two three.")', 3],
    ['utils.removeDiacritics("Ångström")', 'Angstrom'],
    ['utils.isEmail("a@b.co")', true],
    ['utils.isEmail("a@b")', false],
    ['utils.isUrl("https://example.test/a?b#c")', true],
    ['utils.isUrl("javascript:alert(1)")', false],
    ['utils.isJson("[1]")', true],
    ['utils.isJson("[1")', false],
    ['utils.isUuid("123e4567-e89b-42d3-a456-426614174000")', true],
    ['utils.isUuid("123e4567")', false],
    // Numbers
    ['utils.clamp(12, 0, 10)', 10],
    ['utils.round(1.005, 2)', 1.01],
    ['utils.round(-2.5)', -2],
    ['utils.sum([1, "2", 3])', 6],
    ['utils.avg([1, 2, 3, 4])', 2.5],
    ['utils.avg([])', 0],
    // Data
    ['utils.parseJson("{\\"a\\":1}")', { a: 1 }],
    ['utils.parseJson("{", 0)', 0],
    ['utils.toJson({ a: 1 }, 0)', '{"a":1}'],
    [
      'utils.parseCsv(\'a,b\\n1,"x, ""y"""\\r\\n2,\\n\')',
      [
        { a: '1', b: 'x, "y"' },
        { a: '2', b: '' },
      ],
    ],
    [
      'utils.parseCsv("1;2\\n3;4", { delimiter: ";", header: false })',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['utils.flatten([1, [2, [3]]])', [1, 2, 3]],
    ['utils.flatten({ a: { b: 1, c: [2] }, d: {} })', { 'a.b': 1, 'a.c.0': 2, d: {} }],
    ['utils.getPath({ a: [{ b: 5 }] }, "a[0].b")', 5],
    ['utils.getPath({ a: 1 }, "toString", "none")', 'none'],
    ['utils.unique([1, 1, 2])', [1, 2]],
    ['utils.unique([{ k: 1 }, { k: 1 }, { k: 2 }], "k")', [{ k: 1 }, { k: 2 }]],
    ['utils.chunk([1, 2, 3], 2)', [[1, 2], [3]]],
    [
      'utils.groupBy([{ k: "a" }, { k: "b" }, { k: "a" }], "k")',
      { a: [{ k: 'a' }, { k: 'a' }], b: [{ k: 'b' }] },
    ],
    ['utils.groupBy([1, 2, 3], (n) => n % 2 ? "odd" : "even")', { odd: [1, 3], even: [2] }],
    // Keys: handles, never values
    ['utils.getApiKey("weather")', '{{secret:weather}}'],
    ['utils.getApiKey("Not a name") ?? null', null],
    ['utils.getFieldValue("mail", "host")', '{{secret:mail.host}}'],
    ['utils.getFieldValue("mail", "api_key", "work")', '{{secret:mail-work}}'],
    ['utils.getServiceConfig("mail")', { name: 'mail', apiKey: '{{secret:mail}}' }],
    ['utils.getApiKey("absent") ?? null', null],
    ['utils.getFieldValue("mail", "port") ?? null', null],
    ['utils.getConfigEntry("absent") ?? null', null],
    ['utils.getConfigEntries("absent")', []],
    ['utils.getServiceConfig("absent") ?? null', null],
    ['utils.getConfigEntry("mail", "work")', { name: 'mail', label: 'work', apiKey: '{{secret:mail-work}}' }],
    [
      'utils.getConfigEntries("mail")',
      [
        { name: 'mail', label: null, apiKey: '{{secret:mail}}', fields: { host: '{{secret:mail.host}}' } },
        { name: 'mail', label: 'work', apiKey: '{{secret:mail-work}}' },
      ],
    ],
    // Around it
    ['utils.listTools()', ['calculate']],
    ['context', { toolName: 'probe', callId: 'call_1', conversationId: 'ses_1', userId: 'op_1' }],
    ['[typeof setTimeout, typeof fetch, typeof process, typeof require]', Array(4).fill('undefined')],
  ])('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected)
  })

  it.each([
    'utils.hash("a", "crc")',
    'utils.hexDecode("zz")',
    'utils.dateAdd("soon", 1)',
    'utils.dateDiff(0, 0, "moons")',
    'utils.randomInt(2, 1)',
    'utils.parseJson("{")',
  ])('says what is wrong with %s', async (expression) => {
    await expect(value(expression)).rejects.toThrow(/Error: .+ \(line 1\)/)
  })

  it('takes chance from the seed alone', async () => {
    const chance = `({ random: Math.random(), uuid: utils.uuid(), int: utils.randomInt(1, 6), order: utils.shuffle([1, 2, 3, 4, 5]),
      some: utils.sample([1, 2, 3], 2), one: utils.sample([7]), password: utils.generatePassword(20) })`
    const first = (await value(chance)) as { uuid: string; password: string; order: number[] }
    expect(await value(chance)).toEqual(first)
    expect(await value(chance, { seed: 'other' })).not.toEqual(first)
    expect(first.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(first.password).toHaveLength(20)
    expect(first.order.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5])
    const many = (await value('Array.from({ length: 2000 }, () => utils.randomInt(1, 6))')) as number[]
    for (const face of [1, 2, 3, 4, 5, 6])
      expect(many.filter((each) => each === face).length).toBeGreaterThan(250)
  })

  it('logs under the name of the tool, in the order of the lines', async () => {
    const setup = { args: {}, context: { toolName: 'probe' }, tools: [], network: false, keys: [] }
    const code = 'console.log("a", { b: 1 }); console.warn("c"); console.error(new TypeError("d")); return 1'
    const job = { name: 'probe', code, setup, now: 0, seed: '', limits: scriptLimits }
    expect(await runProgram(machine, job, async () => ({ kind: 'stop' }))).toMatchObject({
      log: ['[probe] a {"b":1}', '[probe] warning: c', '[probe] error: TypeError: d'],
    })
  })
})

describe('fetch', () => {
  const answer = (text: string, ok = true) => ({ network: true, answer: () => ({ ok, text }) })

  it('is a request through the tool, with status, headers and body', async () => {
    const seen: RawCall[] = []
    const code = `const resp = await fetch("https://w.test/?key=" + utils.getApiKey("weather") + "&q=" + args.city, { method: "post", headers: { a: 1 }, body: "x" })
      const data = await resp.json()
      return { ok: resp.ok, status: resp.status, type: resp.headers.get("Content-Type"), temp: data.current.temp_c }`
    const found = await run(code, {
      network: true,
      args: { city: 'Oslo' },
      answer: (call) => {
        seen.push(call)
        return { ok: true, text: '200\ncontent-type: application/json\n\n{"current":{"temp_c":4}}' }
      },
    })
    expect(found).toEqual({ ok: true, status: 200, type: 'application/json', temp: 4 })
    expect(seen.map(({ tool, args }) => [tool, JSON.parse(args)])).toEqual([
      [
        'http_request',
        {
          url: 'https://w.test/?key={{secret:weather}}&q=Oslo',
          method: 'POST',
          headers: { a: '1' },
          body: 'x',
        },
      ],
    ])
  })

  it('gives an answer that is an error, and throws when there is none', async () => {
    const status = 'const r = await fetch("https://w.test"); return [r.ok, r.status, await r.text()]'
    expect(await run(status, answer('404\n\ngone', false))).toEqual([false, 404, 'gone'])
    await expect(run(status, answer('Denied by the operator.', false))).rejects.toThrow(
      'Denied by the operator.',
    )
    await expect(run('await fetch("https://w.test", { body: {} })', answer('200\n\n'))).rejects.toThrow(
      'must be text',
    )
  })
})
