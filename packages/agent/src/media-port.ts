/** What tools need of models that make or hear more than text. */
import type { Meter } from './meter.ts'
import type { ModelFailure } from './model-port.ts'

export interface MediaPort {
  /** Never rejects, like its neighbours. */
  image(
    request: ImageRequest,
    signal: AbortSignal,
    meter: Meter,
  ): Promise<MediaReply<{ readonly images: readonly Media[] }>>
  speech(
    request: SpeechRequest,
    signal: AbortSignal,
    meter: Meter,
  ): Promise<MediaReply<{ readonly audio: Media }>>
  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    meter: Meter,
  ): Promise<
    MediaReply<{ readonly text: string; readonly language: string | null; readonly seconds: number | null }>
  >
}

export interface Media {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface ImageRequest {
  readonly model?: string
  readonly prompt: string
  readonly count: number
  /** Such as `1024x1024`. */
  readonly size?: string
}

export interface SpeechRequest {
  readonly model?: string
  readonly text: string
  readonly voice?: string
  readonly format?: string
}

export interface TranscriptionRequest {
  readonly model?: string
  readonly audio: Media
}

export type MediaReply<Made> =
  | ({ readonly kind: 'made'; readonly model: string } & Made)
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
