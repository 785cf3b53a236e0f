/**
 * The media port on the AI SDK: images, speech and transcription, each one call without retries. Refuses more than
 * 25 MB of sound and images of more than 20 MB.
 */
import type {
  ImageRequest,
  Media,
  MediaPort,
  MediaReply,
  Meter,
  ModelFailure,
  ModelUsage,
  SpeechRequest,
  TranscriptionRequest,
} from '@countersign/agent'
import type { ModelConfig } from '../providers/config.ts'
import type { ImageModel, SpeechModel, TranscriptionModel } from './kit.ts'
import { audioTypeOf, imageTypeOf } from './media-type.ts'
import { noUsage } from './metered-call.ts'
import { type Priced, type ProviderAnswer, type ProviderCall, providerCall } from './provider-call.ts'

export type MediaKind = 'image' | 'speech' | 'transcription'

export interface MediaOptions {
  /** Which model is called: the one that is named, or the one for this kind of work. */
  readonly choose: (kind: MediaKind, model: string | undefined) => ChosenMedia | Promise<ChosenMedia>
  readonly prices: MediaPrices
  readonly now?: () => number
}

export type ChosenMedia =
  | { readonly kind: 'chosen'; readonly config: ModelConfig }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Each in billionths of a dollar. Asked for the worst case before a call, and for what it came to after it. */
export interface MediaPrices {
  image(config: ModelConfig, images: ImagesCount): number
  speech(config: ModelConfig, speech: { readonly characters: number }): number
  /** `seconds` is null before the call, and after it where the provider does not say. */
  transcription(
    config: ModelConfig,
    sound: { readonly bytes: number; readonly seconds: number | null },
  ): number
}

export interface ImagesCount {
  readonly count: number
  readonly size: string | null
  /** As the provider counted; null before the call, and after it where the provider does not say. */
  readonly usage: ModelUsage | null
}

const mostAudioBytes = 25_000_000
const mostImageBytes = 20_000_000
const mostImages = 10
const longestPrompt = 32_000
const longestSpeech = 100_000
/** An answer of JSON holds bytes as text, a third longer, and some words around them. */
const inJson = (bytes: number): number => Math.ceil((bytes * 4) / 3) + 1_000_000
const mostTranscriptBytes = 20_000_000

type Context = Pick<ProviderCall<unknown>, 'config' | 'signal' | 'meter' | 'now'>

export function createMedia({ choose, prices, now = () => performance.now() }: MediaOptions): MediaPort {
  /** Checks the request, finds the model, calls it. */
  async function make<Made extends object>(
    kind: MediaKind,
    request: { readonly model?: string },
    problem: string | null,
    signal: AbortSignal,
    meter: Meter,
    call: (context: Context) => Promise<ProviderAnswer<Made>>,
  ): Promise<MediaReply<Made>> {
    if (problem !== null) return { kind: 'failed', failure: { kind: 'invalid', message: problem } }
    const chosen = await choose(kind, request.model)
    if (chosen.kind === 'unavailable') return chosen
    const { config } = chosen
    const answer = await call({ config, signal, meter, now })
    if (answer.kind !== 'made') return answer
    return { kind: 'made', model: `${config.name}/${config.model}`, ...answer.made }
  }

  return {
    image: (request, signal, meter) =>
      make('image', request, imageProblem(request), signal, meter, (context) =>
        makeImages(request, prices, context),
      ),
    speech: (request, signal, meter) =>
      make('speech', request, speechProblem(request), signal, meter, (context) =>
        makeSpeech(request, prices, context),
      ),
    transcribe: (request, signal, meter) =>
      make('transcription', request, soundProblem(request), signal, meter, (context) =>
        makeTranscript(request, prices, context),
      ),
  }
}

function makeImages(
  { prompt, count, size }: ImageRequest,
  prices: MediaPrices,
  context: Context,
): Promise<ProviderAnswer<{ readonly images: readonly Media[] }>> {
  const { config } = context
  const asked = { count, size: size ?? null, usage: null }
  const call: ProviderCall<ImageModel> = {
    ...context,
    purpose: 'vision',
    worstNanos: prices.image(config, asked),
    mostBytes: inJson(mostImageBytes * count),
    wanted: 'images',
    model: (kit) => kit.image,
  }
  return providerCall(call, async (model, abortSignal): Promise<Priced<{ images: Media[] }>> => {
    const most = typeof model.maxImagesPerCall === 'number' ? model.maxImagesPerCall : mostImages
    if (count > most) return refused('invalid', `The model ${config.model} makes at most ${most} at once.`)
    const made = await model.doGenerate({
      prompt,
      n: count,
      size: size as `${number}x${number}` | undefined,
      aspectRatio: undefined,
      seed: undefined,
      files: undefined,
      mask: undefined,
      providerOptions: {},
      abortSignal,
    })
    const images: Media[] = []
    for (const image of made.images) {
      const bytes = bytesOf(image)
      const mediaType = imageTypeOf(bytes)
      if (mediaType === null) return refused('unknown', 'The model provider sent something that is no image.')
      if (bytes.length > mostImageBytes)
        return refused('unknown', 'The model sent an image of more than 20 MB.')
      images.push({ mediaType, bytes })
    }
    if (images.length === 0) return refused('unknown', 'The model provider sent no image.')
    const usage = made.usage === undefined ? null : imageUsageOf(made.usage)
    const costNanos = prices.image(config, { ...asked, count: images.length, usage })
    return { kind: 'made', made: { images }, usage: usage ?? noUsage, estimated: usage === null, costNanos }
  })
}

function makeSpeech(
  { text, voice, format }: SpeechRequest,
  prices: MediaPrices,
  context: Context,
): Promise<ProviderAnswer<{ readonly audio: Media }>> {
  const { config } = context
  const nanos = prices.speech(config, { characters: text.length })
  const call: ProviderCall<SpeechModel> = {
    ...context,
    purpose: 'speech',
    worstNanos: nanos,
    mostBytes: inJson(mostAudioBytes),
    wanted: 'speech',
    model: (kit) => kit.speech,
  }
  return providerCall(call, async (model, abortSignal): Promise<Priced<{ audio: Media }>> => {
    const made = await model.doGenerate({
      text,
      ...(voice === undefined ? {} : { voice }),
      ...(format === undefined ? {} : { outputFormat: format }),
      abortSignal,
    })
    const bytes = bytesOf(made.audio)
    if (bytes.length === 0) return refused('unknown', 'The model provider sent no sound.')
    if (bytes.length > mostAudioBytes) return refused('unknown', 'The model sent sound of more than 25 MB.')
    const audio = { mediaType: audioTypeOf(bytes, format), bytes }
    return { kind: 'made', made: { audio }, usage: noUsage, estimated: true, costNanos: nanos }
  })
}

function makeTranscript(
  { audio }: TranscriptionRequest,
  prices: MediaPrices,
  context: Context,
): Promise<ProviderAnswer<Transcript>> {
  const { config } = context
  const bytes = audio.bytes.length
  const call: ProviderCall<TranscriptionModel> = {
    ...context,
    purpose: 'speech',
    worstNanos: prices.transcription(config, { bytes, seconds: null }),
    mostBytes: mostTranscriptBytes,
    wanted: 'transcription',
    model: (kit) => kit.transcription,
  }
  return providerCall(call, async (model, abortSignal): Promise<Priced<Transcript>> => {
    const made = await model.doGenerate({ audio: audio.bytes, mediaType: audio.mediaType, abortSignal })
    const seconds = made.durationInSeconds ?? null
    return {
      kind: 'made',
      made: { text: made.text, language: made.language ?? null, seconds },
      usage: noUsage,
      estimated: seconds === null,
      costNanos: prices.transcription(config, { bytes, seconds }),
    }
  })
}

interface Transcript {
  readonly text: string
  readonly language: string | null
  readonly seconds: number | null
}

function imageProblem({ prompt, count, size }: ImageRequest): string | null {
  if (prompt.trim() === '') return 'The prompt is empty. Say what the image should show.'
  if (prompt.length > longestPrompt)
    return `The prompt is longer than ${longestPrompt} characters. Shorten it.`
  if (!Number.isInteger(count) || count < 1 || count > mostImages) {
    return `One to ${mostImages} images can be made at once.`
  }
  if (size !== undefined && !/^\d{2,5}x\d{2,5}$/.test(size)) {
    return 'The size is not a width and a height, such as 1024x1024.'
  }
  return null
}

function speechProblem({ text }: SpeechRequest): string | null {
  if (text.trim() === '') return 'There is no text to speak.'
  if (text.length > longestSpeech)
    return `The text is longer than ${longestSpeech} characters. Speak it in parts.`
  return null
}

function soundProblem({ audio }: TranscriptionRequest): string | null {
  if (audio.bytes.length === 0) return 'The recording is empty.'
  if (audio.bytes.length > mostAudioBytes) {
    return `The recording has ${(audio.bytes.length / 1_000_000).toFixed(1)} MB; at most 25 MB are taken. Cut it into parts.`
  }
  return null
}

function refused<Made>(kind: ModelFailure['kind'], message: string): Priced<Made> {
  return { kind: 'refused', failure: { kind, message } }
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data
}

function imageUsageOf(usage: {
  inputTokens: number | undefined
  outputTokens: number | undefined
}): ModelUsage {
  return { ...noUsage, input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 }
}
