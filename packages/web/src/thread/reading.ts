/** Owns the voice that reads a reply: that of the model which is chosen for speech, else one of this machine. */
import { longestSpeech } from '@countersign/contract'
import { spokenPieces, spokenText } from '../data/spoken-text.ts'
import { lackOf, type SpeechPorts, spoken } from '../deciding/speech-calls.ts'
import { locale } from '../language/current.ts'
import { words } from '../words/speech.ts'

export interface ReadingWish {
  readonly text: string
  /** What is said here is kept nowhere, so no call may hold it. */
  readonly onlyHere: boolean
  readonly onSpeaking: () => void
  readonly signal: AbortSignal
}

/** Ends when everything was read, or when it is stopped. Throws what went wrong. */
export async function readAloud(ports: SpeechPorts, wish: ReadingWish): Promise<void> {
  const text = spokenText(wish.text)
  if (text === '') throw new Error(words.nothingToRead)
  if (!wish.onlyHere && (await lackOf(ports, 'text_to_speech')) === null) await readByModel(ports, text, wish)
  else await readHere(text, wish)
}

/** Decoded and not played from an address, so that the pages need no more rights than they have. */
async function readByModel(
  ports: SpeechPorts,
  text: string,
  { onSpeaking, signal }: ReadingWish,
): Promise<void> {
  const audio = new AudioContext()
  const end = () => void audio.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    for (const piece of spokenPieces(text, longestSpeech)) {
      const sound = await spoken(ports, piece)
      if (signal.aborted) return
      const source = audio.createBufferSource()
      source.buffer = await audio.decodeAudioData(sound)
      source.connect(audio.destination)
      const over = new Promise<void>((resolve) => {
        source.addEventListener('ended', () => resolve(), { once: true })
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      onSpeaking()
      source.start()
      await over
    }
  } finally {
    signal.removeEventListener('abort', end)
    if (audio.state !== 'closed') await audio.close()
  }
}

/** Some browsers bring the text to their maker to have it read; those voices are not taken. */
async function readHere(text: string, { onSpeaking, signal }: ReadingWish): Promise<void> {
  const voice = await ownVoice()
  if (voice === undefined) throw new Error(words.noVoice)
  const { speechSynthesis: synthesis } = window
  signal.addEventListener('abort', () => synthesis.cancel(), { once: true })
  onSpeaking()
  for (const piece of spokenPieces(text, 1_000)) {
    if (signal.aborted) return
    const utterance = new SpeechSynthesisUtterance(piece)
    utterance.voice = voice
    utterance.lang = voice.lang
    await new Promise<void>((resolve) => {
      utterance.addEventListener('end', () => resolve(), { once: true })
      utterance.addEventListener('error', () => resolve(), { once: true })
      synthesis.speak(utterance)
    })
  }
}

/** Browsers list their voices some time after the page is there. */
const voicesMs = 1_000

async function ownVoice(): Promise<SpeechSynthesisVoice | undefined> {
  const { speechSynthesis: synthesis } = window
  if (synthesis === undefined) return undefined
  if (synthesis.getVoices().length === 0)
    await new Promise<void>((resolve) => {
      synthesis.addEventListener('voiceschanged', () => resolve(), { once: true })
      window.setTimeout(resolve, voicesMs)
    })
  const own = synthesis.getVoices().filter(({ localService }) => localService)
  const [language = ''] = locale().split('-')
  return own.find(({ lang }) => lang.toLowerCase().startsWith(language)) ?? own[0]
}
