import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { modelView, providerView } from '../testing/models.ts'

const key = 'sk-0123456789abcdef'

let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench('2026-08-05T12:00:00.000Z')
})
afterEach(() => bench.close())

const posted = (method: string) =>
  bench.gateway.models.asked
    .filter((each) => each.method === method)
    .map(({ path, body }) => ({ path, body }))

describe('provider add', () => {
  it('takes the key from a pipe, tests it, and says model, speed, price and the next step', async () => {
    bench.gateway.models.models = [modelView('anthropic/large-1')]
    const { exit, text, complaints } = await bench.command(['provider', 'add', 'anthropic'], {
      input: `${key}\n`,
    })
    expect(exit).toBe(0)
    expect(text).toMatchInlineSnapshot(`
      "Added anthropic (Anthropic, https://api.anthropic.example/v1).  Ledger #7
      Model  large-1
      Speed  first word after 412 ms, all after 1.2 s
      Price  $3.00 in and $15.00 out per million tokens; this test cost <$0.01
      Tools  it called one
      Next: \`countersign model use anthropic/large-1\`, then \`countersign chat\`.
      "
    `)
    expect(`${text}${complaints}`).not.toContain(key)
    expect(posted('POST')[0]?.body).toEqual({ kind: 'anthropic', name: 'anthropic', key })
  })

  it('takes the key from a hidden prompt', async () => {
    const { exit, text, complaints } = await bench.command(['provider', 'add', 'openai', '--no-test'], {
      terminal: true,
      input: `${key}\r`,
    })
    expect(exit).toBe(0)
    expect(complaints).toBe('Key of openai (hidden): \n')
    expect(text).toMatchInlineSnapshot(`
      "Added openai (Openai, https://api.openai.example/v1).  Ledger #7
      Test it with \`countersign provider test openai\`.
      "
    `)
    expect(text).not.toContain(key)
    expect(posted('POST')).toEqual([{ path: '/v1/providers', body: { kind: 'openai', name: 'openai', key } }])
  })

  it('takes name, address, time and place for a server of one’s own, without a key', async () => {
    const argv = ['provider', 'add', 'openai-compatible', '--name', 'studio', '--no-key', '--no-test']
    const more = ['--address', 'http://127.0.0.1:1234/v1', '--timeout', '90s', '--priority', '5']
    await bench.command([...argv, ...more])
    expect(posted('POST')[0]?.body).toEqual({
      kind: 'openai-compatible',
      name: 'studio',
      url: 'http://127.0.0.1:1234/v1',
      timeoutMs: 90_000,
      priority: 5,
    })
  })

  it('asks for no key where the environment has it or the kind has none', async () => {
    await bench.command(['provider', 'add', 'openai', '--key-env', '--no-test'], { input: 'not-read-at-all' })
    await bench.command(['provider', 'add', 'ollama', '--no-test'], { input: 'not-read-at-all' })
    expect(posted('POST').map(({ body }) => body)).toEqual([
      { kind: 'openai', name: 'openai', keyFromEnvironment: true },
      { kind: 'ollama', name: 'ollama' },
    ])
  })

  const detected = [
    {
      kind: 'ollama' as const,
      name: 'ollama',
      title: 'Ollama',
      url: 'http://127.0.0.1:11434/api',
      variable: null,
      models: ['qwen3:8b', 'llama'],
    },
    {
      kind: 'anthropic' as const,
      name: 'anthropic',
      title: 'Anthropic',
      url: null,
      variable: 'ANTHROPIC_API_KEY',
      models: [],
    },
  ]

  it('offers in a terminal what was found', async () => {
    bench.gateway.models.detected = detected
    const { exit, text } = await bench.command(['provider', 'add', '--no-test'], {
      terminal: true,
      input: '2\n',
    })
    expect(exit).toBe(0)
    expect(text).toMatchInlineSnapshot(`
      "  1   Ollama             answers at http://127.0.0.1:11434/api with 2 models
        2   Anthropic          a key in ANTHROPIC_API_KEY
        3   anthropic
        4   openai
        5   google
        6   mistral
        7   groq
        8   deepseek
        9   xai
        10  together
        11  fireworks
        12  perplexity
        13  cohere
        14  openrouter
        15  zhipu
        16  azure
        17  github
        18  bedrock
        19  vertex
        20  ollama
        21  openai-compatible
        22  demo
      Which provider? Enter takes 1, q leaves: 2
      Added anthropic (Anthropic, https://api.anthropic.example/v1).  Ledger #7
      Test it with \`countersign provider test anthropic\`.
      "
    `)
    expect(posted('POST')[0]?.body).toEqual({
      kind: 'anthropic',
      name: 'anthropic',
      keyFromEnvironment: true,
    })
  })

  it('takes a kind where nothing was found, and adds nothing on leaving or a wrong word', async () => {
    const typed = (input: string) =>
      bench.command(['provider', 'add', '--no-test'], { terminal: true, input: `${input}\n` })
    expect((await typed('q')).text).toContain('Nothing was added.')
    expect((await typed('77\nq')).text).toContain('77: not one of the options.')
    expect((await typed('nobody\nq')).text).toContain('Nothing was added.')
    expect(posted('POST')).toEqual([])
    expect((await typed('ollama')).text).toContain('Added ollama')
  })

  it('names the kinds and what was found where nobody can choose', async () => {
    bench.gateway.models.detected = detected
    const { exit, complaints } = await bench.command(['provider', 'add'])
    expect(exit).toBe(2)
    expect(complaints).toMatchInlineSnapshot(`
      "Give the kind of the provider: anthropic, openai, google, mistral, groq, deepseek, xai, together, fireworks, perplexity, cohere, openrouter, zhipu, azure, github, bedrock, vertex, ollama, openai-compatible, demo.
      Found here:
        Ollama, answers at http://127.0.0.1:11434/api with 2 models
        Anthropic, a key in ANTHROPIC_API_KEY
      For example: \`countersign provider add ollama --name ollama --address http://127.0.0.1:11434/api\`.
      "
    `)
    expect(await bench.document(['provider', 'add'])).toMatchObject({
      ok: false,
      error: { type: 'usage', details: { detected: [{ name: 'ollama' }, { name: 'anthropic' }] } },
    })
  })

  it('fails when the test fails, says that it was added all the same, and what to do', async () => {
    bench.gateway.models.tested = {
      ok: false,
      problem: 'The key was refused (401).',
      next: 'Give another key with `countersign provider set anthropic --key`.',
    }
    const { exit, complaints } = await bench.command(['provider', 'add', 'anthropic'], { input: key })
    expect(exit).toBe(1)
    expect(complaints).toMatchInlineSnapshot(`
      "Added anthropic (Anthropic, https://api.anthropic.example/v1).  Ledger #7
      The test of anthropic failed: The key was refused (401).
      Give another key with \`countersign provider set anthropic --key\`.
      "
    `)
  })

  it.each([
    ['an unknown kind', ['bogus'], 'There is no provider kind bogus'],
    ['no address', ['openai-compatible', '--no-key'], '--address http'],
    ['a wrong address', ['ollama', '--address', 'here'], 'not an http address'],
    ['a wrong name', ['ollama', '--name', 'My Server'], 'short name in lower case'],
    ['a wrong time', ['ollama', '--timeout', '60'], '--timeout is a time'],
    ['a wrong place', ['ollama', '--priority', '-1'], '--priority'],
    ['no key at all', ['anthropic'], 'The input has no key'],
    ['a key of two words', ['anthropic'], 'one word'],
  ])('refuses %s', async (what, argv, words) => {
    const input = what === 'a key of two words' ? 'sk one two' : ''
    const { exit, complaints } = await bench.command(['provider', 'add', ...argv], { input })
    expect([exit, posted('POST')]).toEqual([2, []])
    expect(complaints).toContain(words)
  })

  it('installs local embeddings and shows how far it is, on stderr', async () => {
    bench.gateway.models.partSteps = [
      { fraction: 0, words: 'Fetching the runtime' },
      { fraction: 0.6, words: 'Fetching the model' },
      { installed: true, version: '1.2.0', bytes: 130_000_000 },
    ]
    const { exit, text, complaints } = await bench.command(['provider', 'add', 'local-embeddings'])
    expect([exit, complaints]).toEqual([0, '  0 %  Fetching the runtime\n 60 %  Fetching the model\n'])
    expect(text).toBe(
      [
        'Installed local embeddings 1.2.0, 130 MB.',
        'Embeddings are computed on this machine: nothing leaves it, and there are no costs.',
        'See what is used for embeddings with `countersign model routes`.',
        '',
      ].join('\n'),
    )
    expect(await bench.document(['provider', 'add', 'local-embeddings', '--quiet'])).toEqual({
      ok: true,
      part: 'local-embeddings',
      installed: true,
      version: '1.2.0',
      bytes: 130_000_000,
    })
  })

  it('installs local speech and chooses it for both directions', async () => {
    bench.gateway.models.partSteps = [{ installed: true, version: '1.13.8', bytes: 61_900_000 }]
    const { exit, text } = await bench.command(['provider', 'add', 'local-speech'])
    expect(exit).toBe(0)
    expect(text).toContain('Installed local speech 1.13.8, 62 MB.')
    expect(text).toContain('For speech: local-speech/espeak-ng.')
    expect(text).toContain('For transcription: local-speech/moonshine.')
  })

  it.each([
    ['a problem', [{ problem: 'The disk is full.' }], 'The disk is full.'],
    ['an installation that broke off', [{ fraction: 0.4, words: 'Fetching' }], 'was interrupted'],
  ])('says %s and how to go on', async (_what, steps, words) => {
    bench.gateway.models.partSteps = steps
    const { exit, complaints } = await bench.command(['provider', 'add', 'local-embeddings'])
    expect([exit, complaints]).toEqual([1, expect.stringContaining(words)])
    expect(complaints).toContain('again')
  })
})

describe('the other commands', () => {
  beforeEach(() => {
    bench.gateway.models.providers = [
      providerView({
        name: 'anthropic',
        kind: 'anthropic',
        url: 'https://api.anthropic.com/v1',
        health: { calls: 12, failures: 0, medianMs: 412, breaker: 'closed', opensAgainAt: null },
      }),
      providerView({
        name: 'openai',
        kind: 'openai',
        url: 'https://api.openai.com/v1',
        key: 'environment',
        source: 'configuration',
        health: {
          calls: 9,
          failures: 9,
          medianMs: null,
          breaker: 'open',
          opensAgainAt: '2026-08-05T12:05:00Z',
        },
      }),
      providerView({
        name: 'studio',
        kind: 'openai-compatible',
        url: 'http://127.0.0.1:1234/v1',
        key: 'none',
        enabled: false,
      }),
    ]
  })

  it('list says how to begin when there is none', async () => {
    bench.gateway.models.providers = []
    expect((await bench.command(['provider', 'list'])).text).toMatchInlineSnapshot(`
      "No provider yet. Add one with \`countersign provider add\`; it finds local servers and keys.
      "
    `)
    expect(await bench.document(['provider', 'list'])).toEqual({ ok: true, providers: [] })
  })

  it('list shows address, key and health, side by side or below each other', async () => {
    expect((await bench.command(['provider', 'list'])).text).toMatchInlineSnapshot(`
      "Name       Kind               Address                       Key                   Health
      anthropic  anthropic          https://api.anthropic.com/v1  in the vault          ok, first word after 412 ms
      openai     openai             https://api.openai.com/v1     from the environment  paused after failures until 12:05, set in the configuration
      studio     openai-compatible  http://127.0.0.1:1234/v1      none needed           off
      "
    `)
    expect((await bench.command(['provider', 'list'], { columns: 60 })).text).toMatchInlineSnapshot(`
      "anthropic
        Kind     anthropic
        Address  https://api.anthropic.com/v1
        Key      in the vault
        Health   ok, first word after 412 ms

      openai
        Kind     openai
        Address  https://api.openai.com/v1
        Key      from the environment
        Health   paused after failures until 12:05, set in the
                 configuration

      studio
        Kind     openai-compatible
        Address  http://127.0.0.1:1234/v1
        Key      none needed
        Health   off
      "
    `)
    expect((await bench.document(['provider', 'list']))['providers']).toHaveLength(3)
  })

  it('test tests one, or all that are on', async () => {
    bench.gateway.models.models = [modelView('anthropic/large-1')]
    expect((await bench.command(['provider', 'test', 'anthropic'])).text).toMatchInlineSnapshot(`
      "anthropic
        Model  large-1
        Speed  first word after 412 ms, all after 1.2 s
        Price  $3.00 in and $15.00 out per million tokens; this test cost <$0.01
        Tools  it called one
      "
    `)
    const { text } = await bench.command(['provider', 'test'])
    expect(text).toContain('openai\n  Model')
    expect(text).not.toContain('studio')
    expect(await bench.document(['provider', 'test', 'anthropic', '--model', 'large-1'])).toMatchObject({
      ok: true,
      tests: [{ provider: 'anthropic', model: 'large-1', ok: true }],
    })
    expect(posted('POST').at(-1)?.body).toEqual({ model: 'large-1' })
  })

  it('sends one prompt, and shows the reply, its speed, tokens and cost', async () => {
    bench.gateway.models.tested = {
      text: 'Rain on the window.',
      firstTokenMs: 212,
      totalMs: 1_840,
      tokens: { input: 12, output: 31 },
      usd: 0.0004,
    }
    const { exit, text } = await bench.command(['provider', 'test', 'anthropic', '--prompt', 'A haiku'])
    expect(exit).toBe(0)
    expect(text).toMatchInlineSnapshot(`
      "Rain on the window.

      Model        large-1
      First word   after 212 ms
      Whole reply  after 1.8 s
      Tokens       12 in, 31 out
      Cost         <$0.01
      "
    `)
    expect(posted('POST').at(-1)?.body).toEqual({ prompt: 'A haiku' })
    expect((await bench.command(['provider', 'test', '--prompt', 'A haiku'])).complaints).toContain(
      'Give the provider to ask',
    )
    expect((await bench.command(['provider', 'test', 'anthropic', '--prompt', ' '])).exit).toBe(2)
  })

  it('test fails where one fails, and for a model of nobody', async () => {
    bench.gateway.models.tested = { ok: false, problem: 'Nobody answers there.' }
    const one = await bench.command(['provider', 'test', 'openai'])
    expect([one.exit, one.text]).toEqual([1, ''])
    expect(one.complaints).toMatchInlineSnapshot(`
      "The test of openai failed: Nobody answers there.
      Change it with \`countersign provider set openai\`, then \`countersign provider test openai\`.
      "
    `)
    expect((await bench.command(['provider', 'test'])).complaints).toMatchInlineSnapshot(`
      "anthropic
        failed: Nobody answers there.

      openai
        failed: Nobody answers there.

      Look at anthropic, openai with \`countersign provider list\`.
      "
    `)
    expect((await bench.command(['provider', 'test', 'nobody'])).exit).toBe(3)
    expect((await bench.command(['provider', 'test', '--model', 'x'])).exit).toBe(2)
  })

  it('set changes what is named, and refuses to change nothing', async () => {
    const { text } = await bench.command(['provider', 'set', 'openai', '--off', '--timeout', '2m'])
    expect(text).toMatchInlineSnapshot(`
      "Changed openai.  Ledger #8
      Address   https://api.openai.com/v1
      Key       from the environment
      Timeout   120 s
      Priority  100
      State     off
      "
    `)
    expect(posted('PUT')).toEqual([
      { path: '/v1/providers/openai', body: { timeoutMs: 120_000, enabled: false } },
    ])
    expect((await bench.command(['provider', 'set', 'openai'])).exit).toBe(2)
    expect((await bench.command(['provider', 'set', 'openai', '--on', '--off'])).exit).toBe(2)
  })

  it('set takes a new key where nobody sees it', async () => {
    const { text, complaints } = await bench.command(['provider', 'set', 'openai', '--key'], {
      terminal: true,
      input: `${key}\r`,
    })
    expect(`${text}${complaints}`).not.toContain(key)
    expect(posted('PUT')).toEqual([{ path: '/v1/providers/openai', body: { key } }])
  })

  it('rm asks in a terminal, where Enter alone keeps it', async () => {
    const typed = (input: string) => bench.command(['provider', 'rm', 'openai'], { terminal: true, input })
    expect((await typed('\n')).text).toContain('Kept openai.')
    expect(posted('DELETE')).toEqual([])
    expect((await typed('y\n')).text).toContain('Removed openai.  Ledger #9')
  })

  it('rm does not ask with --yes or without a terminal', async () => {
    expect((await bench.command(['provider', 'rm', 'openai', '--yes'], { terminal: true })).exit).toBe(0)
    expect(await bench.document(['provider', 'rm', 'anthropic'])).toEqual({
      ok: true,
      name: 'anthropic',
      removed: true,
      ledger: 9,
    })
    expect((await bench.command(['provider', 'rm', 'anthropic'])).exit).toBe(3)
  })
})
