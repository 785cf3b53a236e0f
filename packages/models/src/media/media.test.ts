import type { MakingTask, MediaReply, ProviderKind } from '@countersign/contract'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type MediaScript,
  type MediaServer,
  onePixel,
  someSound,
  startMediaServer,
} from '../../../../tests/model-servers/src/media-server.ts'
import type { ModelFacts } from '../catalogue/facts.ts'
import { memoryMeter } from '../embeddings/testing/memory-meter.ts'
import { createMedia } from './media.ts'

const key = 'sk-test-0123456789abcdef'
const servers: MediaServer[] = []
const noSpeech = async () => ({ kind: 'failed', reason: 'no program' }) as const
const quiet = () => new AbortController().signal

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const pixel = { mediaType: 'image/png', base64: Buffer.from(onePixel).toString('base64') }
const sound = { mediaType: 'audio/wav', base64: Buffer.from([1, 2, 3, 255]).toString('base64') }
const picture: MakingTask = { kind: 'picture', prompt: 'A lighthouse', count: 1, size: '1024x1024' }
const speech: MakingTask = { kind: 'speech', text: 'Good morning', voice: 'alloy', format: 'mp3', speed: 1 }
const transcript: MakingTask = { kind: 'transcript', sound, seconds: 30, language: 'de' }

async function bench(
  model: string,
  {
    script,
    kind = 'openai',
    price = null,
  }: { script?: MediaScript; kind?: ProviderKind; price?: ModelFacts['price'] } = {},
) {
  const server = await startMediaServer({ script: () => script })
  servers.push(server)
  const meter = memoryMeter()
  const config = { name: 'mine', kind, baseUrl: `${server.url}/v1`, apiKey: key, timeoutMs: 5_000 }
  const route = { strategy: 'fallback', models: [`mine/${model}`] } as const
  const media = createMedia({
    speech: noSpeech,
    settings: async () => ({
      providers: [{ config, enabled: true, priority: 1 }],
      routes: { images: route, speech: route, transcription: route },
    }),
    facts: (_, name) => ({
      model: name,
      title: name,
      capabilities: [],
      streaming: false,
      context: null,
      output: null,
      price,
      quality: 0,
      overridden: false,
    }),
  })
  return { server, meter, make: (task: MakingTask) => media.make(task, quiet(), meter) }
}

describe('pictures', () => {
  test('are asked for in words, come back as bytes, and are paid for once', async () => {
    const { server, meter, make } = await bench('dall-e-3')
    expect(await make({ ...picture, quality: 'hd', style: 'vivid' })).toEqual({
      kind: 'made',
      model: 'mine/dall-e-3',
      files: [pixel],
    })
    expect(server.requests[0]).toMatchObject({
      path: '/v1/images/generations',
      body: {
        model: 'dall-e-3',
        prompt: 'A lighthouse',
        n: 1,
        size: '1024x1024',
        quality: 'hd',
        style: 'vivid',
      },
      headers: { authorization: `Bearer ${key}` },
    })
    expect(meter.planned).toMatchObject([{ provider: 'mine', purpose: 'images', worstNanos: 120_000_000 }])
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 120_000_000 }])
  })

  test('of a model that is paid by tokens are settled by what the provider tells', async () => {
    const { server, meter, make } = await bench('gpt-image-1')
    await make({ ...picture, quality: 'hd', style: 'vivid' })
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'A lighthouse',
      n: 1,
      size: '1024x1024',
      quality: 'high',
    })
    expect(meter.planned[0]?.worstNanos).toBe(270_000_000)
    expect(meter.spent).toMatchObject([{ estimated: false, costNanos: 40_090_000 }])
  })

  test('are changed and varied with the picture as a file of a form', async () => {
    const { server, make } = await bench('dall-e-2')
    expect((await make({ kind: 'edit', prompt: 'Blue', image: pixel, mask: pixel, count: 2 })).kind).toBe(
      'made',
    )
    expect((await make({ kind: 'variation', image: pixel, count: 1 })).kind).toBe('made')
    const [edit, variation] = server.requests
    expect(edit?.path).toBe('/v1/images/edits')
    expect([...(edit?.form?.keys() ?? [])].toSorted()).toEqual([
      'image',
      'mask',
      'model',
      'n',
      'prompt',
      'response_format',
    ])
    expect(edit?.form?.get('image')).toMatchObject({ name: 'image.png' })
    expect(variation?.path).toBe('/v1/images/variations')
  })

  test.each([
    ['an address in place of bytes', { body: '{"data":[{"url":"http://x/"}]}' }, 'sent an address'],
    ['something that is no picture', { images: [Buffer.from('<svg/>')] }, 'is no picture'],
    ['more than were asked for', { images: [onePixel, onePixel] }, 'more pictures than'],
  ])('refuses %s', async (_, script, reason) => {
    const { make } = await bench('dall-e-3', { script })
    expect(await make(picture)).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) })
  })
})

describe('sound', () => {
  test('is spoken and comes back as it was sent', async () => {
    const { server, meter, make } = await bench('tts-1')
    const reply = await make(speech)
    expect(reply).toMatchObject({ kind: 'made', files: [{ mediaType: 'audio/mpeg' }] })
    if (reply.kind === 'made') expect(reply.files[0]?.base64).toBe(Buffer.from(someSound).toString('base64'))
    expect(server.requests[0]?.body).toEqual({
      model: 'tts-1',
      input: 'Good morning',
      voice: 'alloy',
      response_format: 'mp3',
      speed: 1,
    })
    expect(meter.spent).toMatchObject([{ costNanos: 240_000 }])
  })

  test('is written down and paid for by its length', async () => {
    const { server, meter, make } = await bench('whisper-1', {
      script: { transcript: { text: 'Guten Morgen', language: 'german', seconds: 60 }, silentOnUsage: true },
    })
    expect(await make(transcript)).toEqual({
      kind: 'heard',
      model: 'mine/whisper-1',
      text: 'Guten Morgen',
      language: 'german',
      seconds: 60,
    })
    const form = server.requests[0]?.form
    expect(form?.get('file')).toMatchObject({ name: 'file.wav' })
    expect(form?.get('language')).toBe('de')
    expect(form?.get('response_format')).toBe('verbose_json')
    expect(meter.planned[0]?.worstNanos).toBe(3_000_000)
    expect(meter.spent).toMatchObject([{ estimated: false, costNanos: 6_000_000 }])
  })

  test('is translated at an address of its own', async () => {
    const { server, make } = await bench('whisper-large-v3', { kind: 'groq' })
    expect((await make({ kind: 'translation', sound })).kind).toBe('heard')
    expect(server.requests[0]?.path).toBe('/v1/audio/translations')
  })

  test('of unknown length and price is taken to be long and dear', async () => {
    const { meter, make } = await bench('some-ear')
    const { seconds: _, ...unmeasured } = transcript as Extract<MakingTask, { kind: 'transcript' }>
    await make({ ...unmeasured, sound: { ...sound, base64: 'A'.repeat(1_000_000) } })
    expect(meter.planned[0]?.worstNanos).toBe(500_000_000)
  })

  test('of a server nearby is free, unless another sells a model of that name', async () => {
    const price = { input: 0, output: 0, cacheRead: null, cacheWrite: null, source: 'local', date: '' }
    const free = await bench('speaches', { kind: 'openai-compatible', price })
    await free.make(transcript)
    expect(free.meter.spent).toMatchObject([{ costNanos: 0 }])
    const sold = await bench('whisper-1', { kind: 'openai-compatible', price })
    await sold.make(transcript)
    expect(sold.meter.spent).toMatchObject([{ costNanos: 3_000_000 }])
  })
})

describe('who cannot', () => {
  test.each([
    [{ status: 401 }, 'refused the API key'],
    [{ status: 429 }, 'limits the rate'],
    [{ status: 307, location: 'http://127.0.0.1:9/' }, 'status 307'],
    [{ body: 'no json' }, ''],
    [{ cutAfterBytes: 10 }, ''],
  ])('fails with %j, is settled, and says nothing of the key', async (script, reason) => {
    const { meter, make } = await bench('dall-e-3', { script })
    const reply = await make(picture)
    expect(reply).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) })
    expect(JSON.stringify(reply)).not.toContain(key)
    expect(meter.spent).toHaveLength(1)
  })

  test('is told with the next step, and nobody is called', async () => {
    const { server, make } = await bench('claude', { kind: 'anthropic' })
    expect(await make(picture)).toMatchObject({
      reason: expect.stringMatching(
        /No model of mine \(anthropic\) makes pictures.*countersign model use.*openai/s,
      ),
    })
    const none = createMedia({
      speech: noSpeech,
      settings: async () => ({ providers: [], routes: {} }),
      facts: () => {
        throw new Error('nobody is asked')
      },
    })
    expect(await none.make(speech, quiet(), memoryMeter())).toMatchObject({
      reason: expect.stringMatching(/No model is chosen that speaks.*--for speech/s),
    })
    expect(server.requests).toEqual([])
  })

  test('calls nobody where the budget is short', async () => {
    const { server, make } = await bench('dall-e-3')
    const { meter } = await bench('dall-e-3')
    const short = {
      ...meter,
      reserve: async () => ({ kind: 'refused', shortage: { message: 'Too little.' } }) as never,
    }
    const media = createMedia({
      speech: noSpeech,
      settings: async () => ({
        providers: [
          {
            config: {
              name: 'mine',
              kind: 'openai',
              baseUrl: `${server.url}/v1`,
              apiKey: key,
              timeoutMs: 5_000,
            },
            enabled: true,
            priority: 1,
          },
        ],
        routes: { images: { strategy: 'fallback', models: ['mine/dall-e-3'] } },
      }),
      facts: (_, model) => ({ model, price: null }) as ModelFacts,
    })
    expect(await media.make(picture, quiet(), short)).toMatchObject({
      reason: expect.stringContaining('Too little.'),
    })
    expect(server.requests).toEqual([])
    expect((await make(picture)).kind).toBe('made')
  })
})

describe('speech of this machine', () => {
  const routes = {
    speech: { strategy: 'fallback', models: ['local-speech/espeak-ng'] },
    transcription: { strategy: 'fallback', models: ['local-speech/moonshine'] },
  } as const

  function local(reply: MediaReply) {
    const asked: MakingTask[] = []
    const meter = memoryMeter()
    const media = createMedia({
      settings: async () => ({ providers: [], routes }),
      facts: () => {
        throw new Error('No model of a provider is looked up.')
      },
      speech: async (task) => {
        asked.push(task)
        return reply
      },
    })
    return { asked, meter, make: (task: MakingTask) => media.make(task, quiet(), meter) }
  }

  test('is made by its program, free and in the books', async () => {
    const reply: MediaReply = {
      kind: 'heard',
      model: 'local-speech/moonshine',
      text: 'Hello',
      language: 'en',
      seconds: 2,
    }
    const { asked, meter, make } = local(reply)
    expect(await make(transcript)).toEqual(reply)
    expect(asked).toEqual([transcript])
    expect(meter.planned).toEqual([
      { provider: 'local-speech', model: 'moonshine', purpose: 'transcription', worstNanos: 0 },
    ])
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 0 }])
    expect(meter.open).toBe(0)
  })

  test('says what its program says is missing', async () => {
    const { make } = local({ kind: 'failed', reason: 'There is no espeak-ng.' })
    expect(await make(speech)).toEqual({ kind: 'failed', reason: 'There is no espeak-ng.' })
  })

  test('translates nothing, and its program is not asked', async () => {
    const { asked, make } = local({ kind: 'failed', reason: '' })
    expect(await make({ kind: 'translation', sound })).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('countersign model use <provider/model> --for transcription'),
    })
    expect(asked).toEqual([])
  })
})
