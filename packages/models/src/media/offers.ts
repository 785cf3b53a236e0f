/** Owns which provider does what besides conversing, as far as it speaks OpenAI's wire for it. */
import { type MakingTask, type ProviderKind, type Purpose, purposeOfTask } from '@countersign/contract'

type Work = MakingTask['kind']

const everything: readonly Work[] = ['picture', 'edit', 'variation', 'speech', 'transcript', 'translation']

const offers: Partial<Readonly<Record<ProviderKind, readonly Work[]>>> = {
  openai: everything,
  // Its server says itself what it does not have.
  'openai-compatible': everything,
  groq: ['speech', 'transcript', 'translation'],
  together: ['picture', 'speech', 'transcript', 'translation'],
  xai: ['picture'],
  mistral: ['transcript'],
}

export const mediaVerbs = {
  picture: 'makes pictures',
  edit: 'changes pictures',
  variation: 'varies pictures',
  speech: 'speaks',
  transcript: 'writes down speech',
  translation: 'translates speech',
} as const satisfies Readonly<Record<Work, string>>

export function doesOffer(kind: ProviderKind, work: Work): boolean {
  return offers[kind]?.includes(work) ?? false
}

/** Purposes that no conversing model serves, and who serves each of them. */
export const mediaPurposes = ['images', 'speech', 'transcription'] as const satisfies readonly Purpose[]
export type MediaPurpose = (typeof mediaPurposes)[number]

export function isMediaPurpose(purpose: Purpose): purpose is MediaPurpose {
  return mediaPurposes.some((each) => each === purpose)
}

export function doesServe(kind: ProviderKind, purpose: MediaPurpose): boolean {
  return everything.some((work) => purposeOfTask[work] === purpose && doesOffer(kind, work))
}

/** In words that follow "such as". */
export function whoOffers(work: Work): string {
  return Object.entries(offers)
    .filter(([, works]) => works.includes(work))
    .map(([kind]) => kind)
    .join(', ')
}
