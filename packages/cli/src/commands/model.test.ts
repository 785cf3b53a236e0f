import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { modelView } from '../testing/models.ts'
import { newId } from '../testing/records.ts'

let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench('2026-08-05T12:00:00.000Z')
})
afterEach(() => bench.close())

const asked = () => bench.gateway.models.asked.at(-1)
const textOf = async (argv: string[], columns?: number) =>
  (await bench.command(argv, columns === undefined ? {} : { columns })).text

const models = () => [
  modelView('anthropic/large-1', {
    title: 'Large 1',
    capabilities: ['tools', 'vision', 'reasoning'],
    usedFor: ['chat', 'planning'],
  }),
  modelView('openai/small', {
    context: 1_048_576,
    output: 32_768,
    price: { input: 0.05, output: 0.4, cacheRead: null, cacheWrite: null, source: 'you', date: '2026-08-01' },
    overridden: true,
  }),
  modelView('ollama/qwen3:8b', { context: null, output: null, capabilities: [], price: null }),
]

describe('model list', () => {
  it('says how to begin when there is none, and how to look further', async () => {
    expect(await textOf(['model', 'list'])).toMatchInlineSnapshot(`
      "No model yet. Add a provider with \`countersign provider add\`; see all models with \`countersign model list --all\`.
      "
    `)
    expect(await textOf(['model', 'list', 'zzz'])).toMatchInlineSnapshot(`
      "No model of your providers matches “zzz”. See those of every provider with --all.
      "
    `)
    expect(await textOf(['model', 'list', 'zzz', '--all'])).toMatchInlineSnapshot(`
      "No model fits “zzz”. Fetch what is new with \`countersign model refresh\`.
      "
    `)
  })

  it('shows size, price, what each can and is used for, and where the prices come from', async () => {
    bench.gateway.models.models = models()
    expect(await textOf(['model', 'list'])).toMatchInlineSnapshot(`
      "Model              Context  Output  $ in / out       Can                       Used for
      anthropic/large-1  200k     64k     $3.00 / $15.00   tools, vision, reasoning  chat, planning
      openai/small       1M       32.8k   $0.05 / $0.40 *  tools
      ollama/qwen3:8b    ?        ?       unknown

      * as you set it
      Prices per million tokens, from the bundled list, 2026-08-01, as shipped. Newer: \`countersign model refresh\`.
      "
    `)
    expect(await textOf(['model', 'list'], 60)).toMatchInlineSnapshot(`
      "anthropic/large-1
        Context     200k
        Output      64k
        $ in / out  $3.00 / $15.00
        Can         tools, vision, reasoning
        Used for    chat, planning

      openai/small
        Context     1M
        Output      32.8k
        $ in / out  $0.05 / $0.40 *
        Can         tools

      ollama/qwen3:8b
        Context     ?
        Output      ?
        $ in / out  unknown

      * as you set it
      Prices per million tokens, from the bundled list, 2026-08-01, as shipped. Newer: \`countersign model refresh\`.
      "
    `)
    expect(await bench.document(['model', 'list'])).toMatchObject({
      ok: true,
      models: [{ ref: 'anthropic/large-1' }, {}, {}],
      catalogue: { date: '2026-08-01' },
    })
  })

  it('passes on what is asked for, and refuses what no model can have', async () => {
    await bench.command([
      'model',
      'list',
      'mini',
      '--provider',
      'openai',
      '--needs',
      'tools, vision',
      '--all',
    ])
    expect(bench.gateway.models.asked.find(({ path }) => path === '/v1/models')?.query).toEqual({
      words: 'mini',
      provider: 'openai',
      needs: 'tools,vision',
      all: 'true',
    })
    expect((await bench.command(['model', 'list', '--needs', 'wings'])).exit).toBe(2)
  })
})

describe('model show', () => {
  it('shows everything that is known, and how to add what is not', async () => {
    bench.gateway.models.models = models()
    expect(await textOf(['model', 'show', 'anthropic/large-1'])).toMatchInlineSnapshot(`
      "anthropic/large-1  Large 1
      Can       tools, vision, reasoning, streaming
      Context   200,000 tokens
      Output    64,000 tokens at most
      Price     $3.00 in and $15.00 out per million tokens
      Cache     $0.30 to read, $3.75 to write
      From      a list, 2026-08-01
      Quality   80 of 100
      Used for  chat, planning
      "
    `)
    expect(await textOf(['model', 'show', 'ollama/qwen3:8b'])).toMatchInlineSnapshot(`
      "ollama/qwen3:8b  qwen3:8b
      Can       streaming
      Context   not known
      Output    not known
      Price     not known
      From      unknown
      Quality   80 of 100
      Used for  nothing; \`countersign model use ollama/qwen3:8b\`
      Set its price with \`countersign model price ollama/qwen3:8b --input 3 --output 15\`.
      "
    `)
    expect(await bench.document(['model', 'show', 'openai/small'])).toMatchObject({
      model: { price: { input: 0.05 } },
    })
    expect((await bench.command(['model', 'show', 'openai/none'])).exit).toBe(3)
  })
})

describe('model use', () => {
  beforeEach(() => {
    bench.gateway.models.models = models()
  })

  it('puts the named model first, and others behind it', async () => {
    const { text } = await bench.command(['model', 'use', 'anthropic/large-1', '--then', 'openai/small'])
    expect(text).toMatchInlineSnapshot(`
      "For chat: anthropic/large-1, then openai/small.  Ledger #7
      The next call uses anthropic/large-1.
      "
    `)
    expect(asked()).toMatchObject({
      path: '/v1/routes/chat',
      body: { strategy: 'fallback', models: ['anthropic/large-1', 'openai/small'] },
    })
  })

  it('takes a way of choosing, among all or some, for one purpose', async () => {
    expect(await textOf(['model', 'use', 'cheapest', '--for', 'summaries'])).toMatchInlineSnapshot(`
      "For summaries: the cheapest model.  Ledger #7
      The next call uses anthropic/large-1.
      "
    `)
    expect(asked()).toMatchObject({
      path: '/v1/routes/summaries',
      body: { strategy: 'cheapest', models: [] },
    })
    expect(await textOf(['model', 'use', 'fastest', '--then', 'openai/small,anthropic/large-1'])).toContain(
      'the fastest of openai/small, anthropic/large-1',
    )
  })

  it('says what stands in the way', async () => {
    expect(await textOf(['model', 'use', 'openai/none'])).toMatchInlineSnapshot(`
      "For chat: openai/none.  Ledger #7
      It cannot be used yet: No provider has openai/none.
      "
    `)
    expect(await bench.document(['model', 'use', 'openai/none'])).toMatchObject({
      ok: true,
      route: { problem: 'No provider has openai/none.' },
      ledger: 7,
    })
  })

  it.each([
    ['a word that is neither', ['gpt'], 'neither a model such as'],
    ['a wrong second', ['openai/small', '--then', 'gpt'], 'gpt is neither'],
    ['an unknown purpose', ['openai/small', '--for', 'poems'], '--for is one of chat'],
  ])('refuses %s', async (_what, argv, words) => {
    const { exit, complaints } = await bench.command(['model', 'use', ...argv])
    expect([exit, complaints]).toEqual([2, expect.stringContaining(words)])
  })
})

describe('model routes', () => {
  it('shows what is taken for what, and what stands in the way', async () => {
    expect(await textOf(['model', 'routes'])).toMatchInlineSnapshot(`
      "No route is set. Choose a model with \`countersign model use anthropic/claude-sonnet-4-5\`.
      "
    `)
    bench.gateway.models.routes = [
      {
        purpose: 'chat',
        strategy: 'fallback',
        models: ['anthropic/large-1', 'openai/small'],
        next: 'anthropic/large-1',
        problem: null,
        own: true,
      },
      {
        purpose: 'planning',
        strategy: 'fallback',
        models: [],
        next: 'anthropic/large-1',
        problem: null,
        own: false,
      },
      {
        purpose: 'summaries',
        strategy: 'cheapest',
        models: [],
        next: 'openai/small',
        problem: null,
        own: true,
      },
      {
        purpose: 'speech',
        strategy: 'balanced',
        models: [],
        next: null,
        problem: 'No model can do it.',
        own: true,
      },
    ]
    expect(await textOf(['model', 'routes'])).toMatchInlineSnapshot(`
      "For        Takes                                 Next call
      chat       anthropic/large-1, then openai/small  anthropic/large-1
      planning   as for chat                           anthropic/large-1
      summaries  the cheapest model                    openai/small
      speech     the best balanced model               No model can do it.
      "
    `)
    expect(await textOf(['model', 'routes'], 60)).toMatchInlineSnapshot(`
      "For        Takes                    Next call
      chat       anthropic/large-1, then  anthropic/large-1
                 openai/small
      planning   as for chat              anthropic/large-1
      summaries  the cheapest model       openai/small
      speech     the best balanced model  No model can do it.
      "
    `)
    expect((await bench.document(['model', 'routes']))['routes']).toHaveLength(4)
  })
})

describe('model price', () => {
  beforeEach(() => {
    bench.gateway.models.models = models()
  })

  it('sets a price in dollars per million tokens, and takes it back', async () => {
    expect(
      await textOf(['model', 'price', 'ollama/qwen3:8b', '--input', '$3', '--output', '15']),
    ).toMatchInlineSnapshot(`
      "ollama/qwen3:8b now costs $3.00 in and $15.00 out per million tokens, as you set it.  Ledger #7
      Past costs do not change.
      "
    `)
    expect(asked()).toMatchObject({
      method: 'PUT',
      query: { ref: 'ollama/qwen3:8b' },
      body: { input: 3, output: 15 },
    })
    await bench.command(['model', 'price', 'openai/small', '--cache-read', '0.1', '--cache-write', '0'])
    expect(asked()?.body).toEqual({ cacheRead: 0.1, cacheWrite: 0 })
    expect(await textOf(['model', 'price', 'anthropic/large-1', '--restore'])).toMatchInlineSnapshot(`
      "anthropic/large-1 has the price of the catalogue again: $3.00 in and $15.00 out per million tokens.  Ledger #8
      "
    `)
    expect(asked()?.method).toBe('DELETE')
  })

  it.each([
    ['nothing', []],
    ['no number', ['--input', 'cheap']],
    ['less than nothing', ['--input=-1']],
    ['a price and none', ['--input', '3', '--restore']],
  ])('refuses %s', async (_what, argv) => {
    expect((await bench.command(['model', 'price', 'openai/small', ...argv])).exit).toBe(2)
    expect(bench.gateway.models.asked).toEqual([])
  })
})

it('model refresh tells what is new', async () => {
  expect(await textOf(['model', 'refresh'])).toMatchInlineSnapshot(`
    "12 added, 30 changed, 2 removed. 812 models.  Ledger #7
    Prices per million tokens, from the bundled list, 2026-08-01. Newer: \`countersign model refresh\`.
    "
  `)
  expect(await bench.document(['model', 'refresh'])).toMatchObject({
    added: 12,
    changed: 30,
    removed: 2,
    ledger: 7,
  })
})

describe('model trace', () => {
  const run = newId('run')
  const trace = (id: string, given = {}) => ({
    id,
    at: '2026-08-05T11:58:00.000Z',
    provider: 'anthropic',
    model: 'large-1',
    purpose: 'chat' as const,
    run,
    outcome: 'replied',
    problem: null,
    firstTokenMs: 412,
    totalMs: 2_130,
    tokens: { input: 12_410, output: 320, cached: 9_000, reasoning: 40 },
    usd: 0.0042,
    request: 'user: What is in the workspace?\nassistant: \u001b[2J',
    reply: 'Three files.',
    ...given,
  })

  it('says that there is none', async () => {
    expect(await textOf(['model', 'trace'])).toMatchInlineSnapshot(`
      "No request yet. Ask something with \`countersign ask "Hello"\`, then look again.
      "
    `)
    expect(await textOf(['model', 'trace', '--run', run])).toMatchInlineSnapshot(`
      "No request of this run is stored.
      "
    `)
  })

  it('lists the last requests, and passes on what is asked for', async () => {
    bench.gateway.models.traces = [
      trace('req_2', {
        outcome: 'failed',
        problem: 'The provider limits the rate.',
        usd: 0,
        firstTokenMs: null,
      }),
      trace('req_1'),
    ]
    expect(await textOf(['model', 'trace', '--run', run, '--limit', '5'])).toMatchInlineSnapshot(`
      "Request  Time   Model              For   Outcome  Tokens             $
      req_2    11:58  anthropic/large-1  chat  failed   12.4k in, 320 out  $0.00
      req_1    11:58  anthropic/large-1  chat  replied  12.4k in, 320 out  <$0.01

      See one in full with \`countersign model trace <request>\`.
      "
    `)
    expect(asked()?.query).toEqual({ run, limit: '5' })
    expect(await textOf(['model', 'trace'], 60)).toMatchInlineSnapshot(`
      "req_2
        Time     11:58
        Model    anthropic/large-1
        For      chat
        Outcome  failed
        Tokens   12.4k in, 320 out
        $        $0.00

      req_1
        Time     11:58
        Model    anthropic/large-1
        For      chat
        Outcome  replied
        Tokens   12.4k in, 320 out
        $        <$0.01

      See one in full with \`countersign model trace <request>\`.
      "
    `)
    expect((await bench.document(['model', 'trace']))['traces']).toHaveLength(2)
    expect((await bench.command(['model', 'trace', '--limit', '0'])).exit).toBe(2)
  })

  it('shows one whole, and no line of it at the margin', async () => {
    bench.gateway.models.traces = [trace('req_1')]
    const text = await textOf(['model', 'trace', 'req_1'])
    expect(text.replace(run, 'RUN')).toMatchInlineSnapshot(`
      "Request  req_1
      Time     11:58
      Model    anthropic/large-1
      For      chat, RUN
      Outcome  replied
      Tokens   12,410 in (9,000 from the cache), 320 out (40 to think)
      Cost     <$0.01
      Speed    first word after 412 ms, all after 2130 ms

      Request
        │ user: What is in the workspace?
        │ assistant: ⟨U+001B⟩[2J

      Reply
        │ Three files.
      "
    `)
    expect((await bench.document(['model', 'trace', 'req_1']))['trace']).toMatchObject({
      reply: 'Three files.',
    })
    expect((await bench.command(['model', 'trace', 'req_9'])).exit).toBe(3)
  })
})
