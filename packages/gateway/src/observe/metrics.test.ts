import { CountersignError, errorCatalogue } from '@countersign/contract'
import type { ObservedCall, ObservedEnd } from '@countersign/models'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterEach, describe, expect, test } from 'vitest'
import { addMetricsRoute } from '../server/metrics.ts'
import type { Env } from '../server/route.ts'
import { expositionOf } from './exposition.ts'
import { type GaugeReading, type MetricsOptions, openMetrics } from './metrics.ts'

interface Parsed {
  readonly type: string
  readonly samples: Map<string, number>
}

const reading: GaugeReading = {
  runs: { running: 2, parked: 1, queued: 0 },
  approvals: 3,
  questions: 1,
  ledger: { size: 500, signed: 480 },
  breakers: [
    { provider: 'anthropic', state: 'closed' },
    { provider: 'ollama', state: 'open' },
  ],
  budgets: [
    { name: 'global:month', scope: 'global', subject: null, limitUsd: 20, extraUsd: 5, spentUsd: 5 },
    { name: 'unattended:day', scope: 'unattended', subject: null, limitUsd: 0, extraUsd: 0, spentUsd: 0 },
    { name: 'call', scope: 'call', subject: null, limitUsd: 1, extraUsd: 0, spentUsd: null },
    { name: 'run:run_1:ever', scope: 'run', subject: 'run_1', limitUsd: 2, extraUsd: 0, spentUsd: 1 },
    { name: 'run:run_2:ever', scope: 'run', subject: 'run_2', limitUsd: 2, extraUsd: 0, spentUsd: 1.5 },
  ],
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function open(
  {
    read = async () => reading,
    ...changes
  }: Partial<MetricsOptions> & { read?: () => Promise<GaugeReading> } = {},
  problems: unknown[] = [],
) {
  const metrics = openMetrics({
    version: '1.2.3',
    isKnown: () => true,
    onProblem: (problem) => problems.push(problem),
    ...changes,
  })
  closers.push(metrics.close)
  return { ...metrics, text: () => metrics.text(read) }
}

const call = (changes: Partial<ObservedCall> = {}): ObservedCall => ({
  id: 'res_1',
  provider: 'anthropic',
  kind: 'anthropic',
  model: 'claude-x',
  request: { purpose: 'chat', system: 's', messages: [], tools: [], maxOutputTokens: 500 },
  startedAt: new Date(0),
  run: 'run_1',
  ...changes,
})
const spent: ObservedEnd['spent'] = {
  outcome: 'delivered',
  usage: { input: 10, output: 5, cached: 2, reasoning: 1 },
  estimated: false,
  costNanos: 2_500_000,
  firstTokenMs: 300,
  totalMs: 3_000,
}

describe('what Prometheus reads', () => {
  test('has the figures of calls', async () => {
    const { observer, text } = open()
    observer.ended(call(), { spent })
    observer.ended(call(), { spent: { ...spent, outcome: 'timeout', firstTokenMs: null, totalMs: 700_000 } })
    const families = parse(await text())
    const one = 'provider="anthropic",model="claude-x"'
    expect(families.get('countersign_model_calls_total')).toEqual({
      type: 'counter',
      samples: new Map([
        [`{${one},outcome="delivered"}`, 1],
        [`{${one},outcome="timeout"}`, 1],
      ]),
    })
    expect(Object.fromEntries(families.get('countersign_model_tokens_total')?.samples ?? [])).toEqual({
      [`{${one},kind="input"}`]: 20,
      [`{${one},kind="output"}`]: 10,
      [`{${one},kind="cached"}`]: 4,
      [`{${one},kind="reasoning"}`]: 2,
    })
    expect(families.get('countersign_model_cost_dollars_total')?.samples.get(`{${one}}`)).toBeCloseTo(0.005)
    const first = families.get('countersign_model_first_token_seconds')
    expect(first?.type).toBe('histogram')
    expect(first?.samples.get(`_bucket{${one},le="0.25"}`)).toBe(0)
    expect(first?.samples.get(`_bucket{${one},le="0.5"}`)).toBe(1)
    expect(first?.samples.get(`_count{${one}}`)).toBe(1)
    const total = families.get('countersign_model_call_seconds')
    expect(total?.samples.get(`_bucket{${one},le="600"}`)).toBe(1)
    expect(total?.samples.get(`_bucket{${one},le="+Inf"}`)).toBe(2)
    expect(total?.samples.get(`_sum{${one}}`)).toBe(703)
  })

  test('has what is so at the moment', async () => {
    const families = parse(await open().text())
    const of = (name: string) => Object.fromEntries(families.get(name)?.samples ?? [])
    expect(of('countersign_info')).toEqual({ '{version="1.2.3"}': 1 })
    expect(of('countersign_readable')).toEqual({ '': 1 })
    expect(of('countersign_runs')).toEqual({
      '{state="running"}': 2,
      '{state="parked"}': 1,
      '{state="queued"}': 0,
    })
    expect(of('countersign_approvals_pending')).toEqual({ '': 3 })
    expect(of('countersign_questions_open')).toEqual({ '': 1 })
    expect(of('countersign_ledger_entries')).toEqual({ '': 500 })
    expect(of('countersign_ledger_signed_entries')).toEqual({ '': 480 })
    expect(of('countersign_provider_breaker')).toMatchObject({
      '{provider="anthropic",state="closed"}': 1,
      '{provider="anthropic",state="open"}': 0,
      '{provider="ollama",state="open"}': 1,
    })
    expect(of('countersign_budget_spent_ratio')).toEqual({
      '{budget="global:month"}': 0.2,
      '{budget="unattended:day"}': 0,
      '{budget="other"}': 0.75,
    })
    expect([...(families.get('countersign_event_loop_delay_seconds')?.samples.keys() ?? [])]).toEqual([
      '{quantile="0.5"}',
      '{quantile="0.99"}',
      '{quantile="1"}',
    ])
    expect(of('countersign_memory_bytes')['{kind="resident"}']).toBeGreaterThan(1_000_000)
  })

  test('names no run, and no model that is not configured', async () => {
    const { observer, text } = open({ isKnown: (_provider, model) => model === 'claude-x' })
    observer.ended(call(), { spent })
    observer.ended(call({ model: 'made-up' }), { spent })
    const shown = await text()
    expect(shown).not.toContain('made-up')
    expect(shown).not.toContain('run_')
    expect(parse(shown).get('countersign_model_calls_total')?.samples).toEqual(
      new Map([
        ['{provider="anthropic",model="claude-x",outcome="delivered"}', 1],
        ['{provider="other",model="other",outcome="delivered"}', 1],
      ]),
    )
  })

  test('tells a bounded number of models and budgets apart and counts the rest together', async () => {
    const budgets = Array.from({ length: 50 }, (_, index) => ({
      name: `goal:g${index}:day`,
      scope: 'goal' as const,
      subject: `g${index}`,
      limitUsd: 100,
      extraUsd: 0,
      spentUsd: index,
    }))
    const { observer, text } = open({ most: 5, read: async () => ({ ...reading, budgets }) })
    for (let index = 0; index < 1_000; index += 1) observer.ended(call({ model: `m${index}` }), { spent })
    const families = parse(await text())
    const calls = families.get('countersign_model_calls_total')?.samples
    expect(calls?.size).toBe(6)
    expect(calls?.get('{provider="other",model="other",outcome="delivered"}')).toBe(995)
    const ratios = families.get('countersign_budget_spent_ratio')?.samples
    expect(ratios?.size).toBe(6)
    expect(ratios?.get('{budget="other"}')).toBe(0.49)
  })

  test('forgets a budget that is gone', async () => {
    let budgets = reading.budgets
    const { text } = open({ read: async () => ({ ...reading, budgets }) })
    await text()
    budgets = []
    expect(parse(await text()).has('countersign_budget_spent_ratio')).toBe(false)
  })

  test('has the counters also when nothing can be read, and says so', async () => {
    const problems: unknown[] = []
    const never = new Promise<GaugeReading>(() => {})
    for (const read of [() => never, () => Promise.reject(new Error('The database is gone.'))]) {
      const { observer, text } = open({ read, patienceMs: 20 }, problems)
      observer.ended(call(), { spent })
      const families = parse(await text())
      expect(families.get('countersign_readable')?.samples.get('')).toBe(0)
      expect(families.has('countersign_model_calls_total')).toBe(true)
      expect(families.has('countersign_runs')).toBe(false)
    }
    expect(problems.map(String)).toEqual([
      'Error: The figures for /metrics could not be read within 20 ms.',
      'Error: The database is gone.',
    ])
  })

  test('is read once for all who ask together', async () => {
    let reads = 0
    const { text } = open({
      read: async () => {
        reads += 1
        return reading
      },
    })
    await Promise.all([text(), text(), text()])
    expect(reads).toBe(1)
    await text()
    expect(reads).toBe(2)
  })

  test('escapes what stands in a label or a description', () => {
    const text = expositionOf([
      {
        name: 'a_b',
        help: 'one\\two\nthree',
        type: 'gauge',
        samples: [{ labels: { x: 'q"\\\n' }, value: Number.POSITIVE_INFINITY }],
      },
    ])
    expect(text).toBe('# HELP a_b one\\\\two\\nthree\n# TYPE a_b gauge\na_b{x="q\\"\\\\\\n"} +Inf\n')
    expect(parse(text).get('a_b')?.samples.size).toBe(1)
  })
})

describe('GET /metrics', () => {
  const token = 'a-token-of-the-operator'

  function app(given: string | null = token) {
    const api = new OpenAPIHono<Env>()
    api.onError((error, context) =>
      error instanceof CountersignError
        ? context.json({ next: error.next }, errorCatalogue[error.code].http)
        : context.json({}, 500),
    )
    if (given !== null) addMetricsRoute(api, { token: given, text: open().text })
    return api
  }
  const ask = (api: ReturnType<typeof app>, authorization?: string) =>
    api.request('/metrics', authorization === undefined ? {} : { headers: { authorization } })

  test('answers to the token', async () => {
    const reply = await ask(app(), `Bearer ${token}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(parse(await reply.text()).has('countersign_runs')).toBe(true)
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
  ])('refuses %j and says what is needed', async (authorization) => {
    const reply = await ask(app(), authorization)
    expect(reply.status).toBe(401)
    const said = await reply.text()
    expect(said).toContain('COUNTERSIGN_METRICS_TOKEN')
    expect(said).not.toContain('countersign_runs')
  })

  test.each([undefined, 'Bearer', 'Bearer '])(
    'refuses %j also when the token is empty',
    async (authorization) => {
      expect((await ask(app(''), authorization)).status).toBe(401)
    },
  )

  test('is not there when it is not switched on', async () => {
    expect((await ask(app(null), `Bearer ${token}`)).status).toBe(404)
  })

  test('only reads', async () => {
    const reply = await app().request('/metrics', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(404)
  })
})

/** Strict: a line that is no comment, no declaration and no sample of the family declared last is an error. */
function parse(text: string): Map<string, Parsed> {
  const families = new Map<string, Parsed>()
  let current: { name: string; helped: boolean } | undefined
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/.exec(line)
    if (help) {
      const [, name = ''] = help
      if (families.has(name)) throw new Error(`${name} is there twice.`)
      current = { name, helped: true }
      continue
    }
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/.exec(line)
    if (type) {
      const [, name = '', kind = ''] = type
      if (current?.name !== name || families.has(name)) throw new Error(`${name} has no description before.`)
      families.set(name, { type: kind, samples: new Map() })
      continue
    }
    const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
    const sample = new RegExp(
      String.raw`^([a-zA-Z_:][\w:]*)(\{${label}(?:,${label})*\})? (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$`,
    ).exec(line)
    const family = current && families.get(current.name)
    if (!sample || !family || !current) throw new Error(`Not a sample: ${line}`)
    const [, name = '', labels = '', value = ''] = sample
    const suffix = name.slice(current.name.length)
    const fitting = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    if (!name.startsWith(current.name) || !fitting.includes(suffix))
      throw new Error(`${name} does not belong to ${current.name}.`)
    if (family.samples.has(`${suffix}${labels}`)) throw new Error(`Twice: ${line}`)
    if (family.type === 'counter' && !(Number(value) >= 0)) throw new Error(`A counter below 0: ${line}`)
    family.samples.set(`${suffix}${labels}`, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  for (const [name, family] of families) checkBuckets(name, family)
  return families
}

function checkBuckets(name: string, { type, samples }: Parsed): void {
  if (type !== 'histogram') return
  let before = 0
  for (const [key, value] of samples) {
    if (!key.startsWith('_bucket')) continue
    if (value < before) throw new Error(`The buckets of ${name} do not grow.`)
    before = key.includes('le="+Inf"') ? 0 : value
    const count = samples.get(key.replace('_bucket', '_count').replace(/,?le="[^"]*"/, ''))
    if (key.includes('le="+Inf"') && value !== count) throw new Error(`The count of ${name} does not fit.`)
  }
}
