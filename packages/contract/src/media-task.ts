/**
 * Owns what a tool has a model make, hear or look at for it: one request and one answer between executor and gateway. The
 * executor has neither keys nor books, and the gateway opens no files.
 */
import { z } from 'zod'
import type { Purpose } from './api-models.ts'
import { largestUpload } from './attachments.ts'

const JsonFields = z.record(z.string(), z.json())

/** Base64 makes four characters of three bytes. */
const longestBase64 = Math.ceil(largestUpload / 3) * 4

export const MediaFile = z.strictObject({
  mediaType: z.string().max(100),
  base64: z.string().max(longestBase64),
})
export type MediaFile = z.infer<typeof MediaFile>

export const mostMadePictures = 4
/** In characters, as providers bound it. */
export const longestPicturePrompt = 4_000
export const longestSpeech = 4_096

const pictures = {
  count: z.int().min(1).max(mostMadePictures),
  /** Such as `1024x1024`. */
  size: z
    .string()
    .regex(/^\d{2,5}x\d{2,5}$/)
    .exactOptional(),
}
const recording = {
  sound: MediaFile,
  /** As it was measured; left out, its size bounds it. */
  seconds: z.number().min(0).exactOptional(),
  /** Words that help with names. */
  hint: z.string().max(1_000).exactOptional(),
}

/** The forms in which a text is read aloud. */
export const soundTypes = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
} as const

const speech = z.strictObject({
  kind: z.literal('speech'),
  text: z.string().min(1).max(longestSpeech),
  voice: z.string().max(64),
  format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav']),
  speed: z.number().min(0.25).max(4),
})
const transcript = z.strictObject({
  kind: z.literal('transcript'),
  ...recording,
  /** Such as `de`. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .exactOptional(),
})

/** What programs of this machine do as well. */
export const SpeechTask = z.discriminatedUnion('kind', [speech, transcript])
export type SpeechTask = z.infer<typeof SpeechTask>

export const MediaTask = z.discriminatedUnion('kind', [
  /** A model that sees answers in a form. */
  z.strictObject({
    kind: z.literal('look'),
    instruction: z.string().max(10_000),
    images: z.array(MediaFile).min(1).max(4),
    /** A JSON schema of an object. */
    form: JsonFields,
    mostTokens: z.int().min(1).max(16_000),
  }),
  z.strictObject({
    kind: z.literal('picture'),
    prompt: z.string().min(1).max(longestPicturePrompt),
    ...pictures,
    quality: z.enum(['standard', 'hd']).exactOptional(),
    style: z.enum(['vivid', 'natural']).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('edit'),
    prompt: z.string().min(1).max(longestPicturePrompt),
    image: MediaFile,
    /** Where it is transparent the picture is changed. */
    mask: MediaFile.exactOptional(),
    ...pictures,
  }),
  z.strictObject({ kind: z.literal('variation'), image: MediaFile, ...pictures }),
  speech,
  transcript,
  /** Into English: that is what the models do. */
  z.strictObject({ kind: z.literal('translation'), ...recording }),
])
export type MediaTask = z.infer<typeof MediaTask>
/** What is not answered by a model that converses. */
export type MakingTask = Exclude<MediaTask, { kind: 'look' }>

export const MediaReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer'), value: JsonFields }),
  z.strictObject({
    kind: z.literal('made'),
    model: z.string(),
    files: z.array(MediaFile).min(1).max(mostMadePictures),
  }),
  z.strictObject({
    kind: z.literal('heard'),
    model: z.string(),
    text: z.string().max(1_000_000),
    /** As the provider names it. */
    language: z.string().max(100).nullable(),
    seconds: z.number().nullable(),
  }),
  /** What went wrong and what to do next, in a sentence. */
  z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
])
export type MediaReply = z.infer<typeof MediaReply>

/** Has a model do one task, at the cost of the run that makes the call. Never rejects. */
export type WorkOnMedia = (task: MediaTask) => Promise<MediaReply>

export const purposeOfTask = {
  look: 'vision',
  picture: 'images',
  edit: 'images',
  variation: 'images',
  speech: 'speech',
  transcript: 'transcription',
  translation: 'transcription',
} as const satisfies Readonly<Record<MediaTask['kind'], Purpose>>
