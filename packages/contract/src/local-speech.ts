/** Owns how speech on this machine is named among models: a program for each direction, under a name that no provider has. */

export const localSpeechProvider = 'local-speech'

export const localSpeechModels = {
  speech: `${localSpeechProvider}/espeak-ng`,
  transcription: `${localSpeechProvider}/moonshine`,
} as const

/** What a program of this machine is for; nothing for the model of a provider. */
export function localSpeechPurpose(ref: string): keyof typeof localSpeechModels | undefined {
  if (ref === localSpeechModels.speech) return 'speech'
  return ref === localSpeechModels.transcription ? 'transcription' : undefined
}
