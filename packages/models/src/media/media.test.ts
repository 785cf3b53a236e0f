import type { MediaPort } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type MediaScript,
  type MediaServer,
  onePixel,
  someSound,
  startMediaServer,
} from '../../../../tests/model-servers/src/media-server.ts'
import type { ModelConfig } from '../providers/config.ts'
import { createMedia, type MediaPrices } from './media.ts'
import { keptMeter } from './testing/kept-meter.ts'

const KEY = 'sk-test-0123456789abcdef'
const servers: MediaServer[] = []
const quiet = (): AbortSignal => new AbortController().signal

const prices: MediaPrices = {
  image: (_config, { count }) => count * 40_000_000,
  speech: (_config, { characters }) => characters * 15_000,
  transcription: (_config, { seconds }) => Math.round((seconds ?? 3_600) * 100_000),
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(script?: MediaScript): Promise<MediaServer> {
  const server = await startMediaServer({ script: () => script })
  servers.push(server)
  return server
}

function configOf(server: MediaServer, change: Partial<ModelConfig> = {}): ModelConfig {
  const kind = change.kind ?? 'openai'
  const path = kind === 'google' ? '/v1beta' : '/v1'
  return {
    name: 'mine',
    kind,
    model: kind === 'google' ? 'gemini-3-pro-image' : 'scripted',
    baseUrl: `${server.url}${path}`,
    apiKey: KEY,
    timeoutMs: 5_000,
    ...change,
  }
}

function mediaOn(server: MediaServer, change: Partial<ModelConfig> = {}): MediaPort {
  return createMedia({ choose: () => ({ kind: 'chosen', config: configOf(server, change) }), prices })
}

const picture = { prompt: 'A lighthouse in the rain', count: 1, size: '1024x1024' }
const recording = { audio: { mediaType: 'audio/wav', bytes: Uint8Array.from([1, 2, 3, 255]) } }

describe.each<[ProviderKind, string]>([
  ['openai', '/v1/images/generations'],
  ['openai-compatible', '/v1/images/generations'],
  ['google', '/v1beta/models/gemini-3-pro-image:generateContent'],
  ['xai', '/v1/images/generations'],
  ['together', '/v1/images/generations'],
  ['fireworks', '/v1/workflows/scripted/text_to_image'],
])('images of %s', (kind, path) => {
  test('come back as bytes of their own type, paid for once', async () => {
    const server = await serve()
    const meter = keptMeter()
    const reply = await mediaOn(server, { kind }).image(picture, quiet(), meter)
    if (reply.kind !== 'made') throw new Error(JSON.stringify(reply))
    expect(reply.model).toMatch(/^mine\//)
    expect(reply.images.map(({ mediaType }) => mediaType)).toEqual(['image/png'])
    expect(Buffer.from(reply.images[0]?.bytes ?? [])).toEqual(Buffer.from(onePixel))
    expect(server.requests[0]?.path).toBe(path)
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY)
    expect(meter.planned[0]).toMatchObject({ provider: 'mine', purpose: 'vision', worstNanos: 40_000_000 })
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 40_000_000 }])
    expect(meter.open).toBe(0)
  })
})

describe.each<ProviderKind>(['openai', 'openai-compatible', 'mistral'])('speech of %s', (kind) => {
  test('comes back as the bytes that were sent', async () => {
    const server = await serve()
    const meter = keptMeter()
    const speech = { text: 'Good morning', voice: 'alloy' }
    const reply = await mediaOn(server, { kind }).speech(speech, quiet(), meter)
    if (reply.kind !== 'made') throw new Error(JSON.stringify(reply))
    expect(reply.audio.mediaType).toBe('audio/mpeg')
    expect(Buffer.from(reply.audio.bytes)).toEqual(Buffer.from(someSound))
    expect(server.requests[0]).toMatchObject({
      path: '/v1/audio/speech',
      body: { model: 'scripted', input: 'Good morning' },
    })
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 12 * 15_000 }])
    expect(meter.open).toBe(0)
  })
})

describe.each<ProviderKind>(['openai', 'openai-compatible', 'groq', 'mistral'])(
  'transcription of %s',
  (kind) => {
    test('uploads the recording as a file of a form', async () => {
      const server = await serve({ transcript: { text: 'Hello there', language: 'en', seconds: 2.5 } })
      const meter = keptMeter()
      const reply = await mediaOn(server, { kind }).transcribe(recording, quiet(), meter)
      expect(reply).toMatchObject({
        kind: 'made',
        model: 'mine/scripted',
        text: 'Hello there',
        language: 'en',
      })
      const form = server.requests[0]?.form
      const file = form?.get('file')
      if (!(file instanceof File)) throw new Error('No file was sent.')
      expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([1, 2, 3, 255])
      expect(file.type).toBe('audio/wav')
      expect(form?.get('model')).toBe('scripted')
      expect(meter.open).toBe(0)
    })
  },
)

describe('the media port', () => {
  test('settles a transcription by the seconds that the provider tells', async () => {
    const server = await serve({ transcript: { text: 'Hello', seconds: 2 } })
    const meter = keptMeter()
    const reply = await mediaOn(server).transcribe(recording, quiet(), meter)
    expect(reply).toMatchObject({ kind: 'made', seconds: 2, language: null })
    expect(meter.planned[0]?.worstNanos).toBe(360_000_000)
    expect(meter.spent).toMatchObject([{ costNanos: 200_000, estimated: false }])
  })

  test('counts the worst where the provider does not tell how long a recording was', async () => {
    const meter = keptMeter()
    await mediaOn(await serve({ transcript: { text: 'Hello' } })).transcribe(recording, quiet(), meter)
    expect(meter.spent).toMatchObject([{ costNanos: 360_000_000, estimated: true }])
  })

  test.each([
    [{ status: 401 }, 'key'],
    [{ status: 429, retryAfter: 3 }, 'rate_limited'],
    [{ status: 400, errorMessage: 'The prompt is not allowed.' }, 'invalid'],
    [{ status: 503 }, 'unavailable'],
    [{ status: 307, location: 'http://127.0.0.1:9/' }, 'invalid'],
    [{ body: '{"data":7}' }, 'unknown'],
    [{ cutAfterBytes: 0 }, 'truncated'],
    [{ cutAfterBytes: 20 }, 'truncated'],
  ] satisfies [MediaScript, string][])(
    'names the failure %j, asks once and settles once',
    async (script, kind) => {
      const server = await serve(script)
      const meter = keptMeter()
      const reply = await mediaOn(server).image(picture, quiet(), meter)
      expect(reply).toMatchObject({ kind: 'failed', failure: { kind } })
      expect(JSON.stringify(reply)).not.toContain(KEY)
      expect(server.requests).toHaveLength(1)
      expect(meter.spent.map(({ outcome }) => outcome)).toEqual([kind])
      expect(meter.open).toBe(0)
    },
  )

  test('charges nothing for a call that the provider refused, and all of one that broke off', async () => {
    const refused = keptMeter()
    await mediaOn(await serve({ status: 429 })).image(picture, quiet(), refused)
    expect(refused.spent).toMatchObject([{ costNanos: 0 }])
    const broken = keptMeter()
    await mediaOn(await serve({ cutAfterBytes: 20 })).image(picture, quiet(), broken)
    expect(broken.spent).toMatchObject([{ costNanos: 40_000_000, estimated: true }])
  })

  test('names a server that is not there', async () => {
    const server = await serve()
    await server.close()
    const meter = keptMeter()
    const reply = await mediaOn(server).speech({ text: 'Hello' }, quiet(), meter)
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'network' } })
    expect(meter.spent).toMatchObject([{ outcome: 'network', costNanos: 0 }])
  })

  test('gives up on a provider that does not answer in time', async () => {
    const server = await serve({ delayMs: 10_000 })
    const meter = keptMeter()
    const reply = await mediaOn(server, { timeoutMs: 100 }).speech({ text: 'Hello' }, quiet(), meter)
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'timeout' } })
    expect(meter.spent).toMatchObject([{ outcome: 'timeout', estimated: true }])
  })

  test('ends a call that is cancelled, and its connection', async () => {
    const server = await serve({ delayMs: 10_000 })
    const meter = keptMeter()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    const reply = await mediaOn(server).image(picture, controller.signal, meter)
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(meter.spent).toMatchObject([{ outcome: 'cancelled' }])
    await expect.poll(() => server.left).toBe(1)
  })

  test('does not begin a call that is cancelled already', async () => {
    const server = await serve()
    const meter = keptMeter()
    const reply = await mediaOn(server).image(picture, AbortSignal.abort(), meter)
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(server.requests).toHaveLength(0)
    expect(meter.planned).toHaveLength(0)
  })

  test('does not call where the budget is spent', async () => {
    const server = await serve()
    const meter = keptMeter({ refuses: true })
    const reply = await mediaOn(server).image(picture, quiet(), meter)
    expect(reply).toMatchObject({
      kind: 'failed',
      failure: { kind: 'budget', shortage: { budget: 'global:month' } },
    })
    expect(server.requests).toHaveLength(0)
    expect(meter.open).toBe(0)
  })

  test('takes 25 MB of sound and not a byte more', async () => {
    const server = await serve()
    const media = mediaOn(server)
    const sound = (length: number) => ({ audio: { mediaType: 'audio/wav', bytes: new Uint8Array(length) } })
    expect(await media.transcribe(sound(25_000_000), quiet(), keptMeter())).toMatchObject({ kind: 'made' })
    expect(await media.transcribe(sound(25_000_001), quiet(), keptMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'invalid' },
    })
    expect(await media.transcribe(sound(0), quiet(), keptMeter())).toMatchObject({ kind: 'failed' })
    expect(server.requests).toHaveLength(1)
  })

  test('takes images of 20 MB and refuses larger ones', async () => {
    const image = (length: number) => {
      const bytes = new Uint8Array(length)
      bytes.set(onePixel)
      return bytes
    }
    const largest = await mediaOn(await serve({ images: [image(20_000_000)] })).image(
      picture,
      quiet(),
      keptMeter(),
    )
    expect(largest.kind).toBe('made')
    for (const length of [20_000_001, 25_000_000]) {
      const meter = keptMeter()
      const reply = await mediaOn(await serve({ images: [image(length)] })).image(picture, quiet(), meter)
      expect(reply).toMatchObject({
        kind: 'failed',
        failure: { message: expect.stringContaining('more than 2') },
      })
      expect(meter.open).toBe(0)
    }
  })

  test('refuses what is no image, whatever the provider calls it', async () => {
    const reply = await mediaOn(await serve({ images: [Buffer.from('<html>')] })).image(
      picture,
      quiet(),
      keptMeter(),
    )
    expect(reply).toMatchObject({ kind: 'failed', failure: { message: expect.stringContaining('no image') } })
  })

  test.each([
    [{ ...picture, count: 0 }],
    [{ ...picture, count: 11 }],
    [{ ...picture, prompt: ' ' }],
    [{ ...picture, size: 'large' }],
  ])('refuses the request %j before anything is called', async (request) => {
    const server = await serve()
    const meter = keptMeter()
    const reply = await mediaOn(server).image(request, quiet(), meter)
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'invalid' } })
    expect(server.requests).toHaveLength(0)
    expect(meter.planned).toHaveLength(0)
  })

  test('says what a provider does not offer', async () => {
    const server = await serve()
    const media = mediaOn(server, { kind: 'anthropic' })
    const meter = keptMeter()
    expect(await media.image(picture, quiet(), meter)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('does not offer images'),
    })
    expect(await mediaOn(server, { kind: 'groq' }).speech({ text: 'Hello' }, quiet(), meter)).toMatchObject({
      kind: 'unavailable',
    })
    expect(meter.planned).toHaveLength(0)
  })

  test('refuses a provider without its key', async () => {
    const reply = await mediaOn(await serve(), { apiKey: '' }).image(picture, quiet(), keptMeter())
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'key' } })
  })

  test('passes on that there is no model for it', async () => {
    const media = createMedia({
      choose: () => ({ kind: 'unavailable', reason: 'No model makes images.' }),
      prices,
    })
    expect(await media.image(picture, quiet(), keptMeter())).toEqual({
      kind: 'unavailable',
      reason: 'No model makes images.',
    })
  })
})
