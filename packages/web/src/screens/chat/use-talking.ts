/**
 * Owns talking in place of typing: recorded while the button is held, written down by the model for it, and put into the
 * message for the person to read. Nothing is ever sent by it.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Recording, startRecording } from '../../data/recorder.ts'
import { base64Of } from '../../data/upload.ts'
import { lackOf, type SpeechLack, writeDown } from '../../deciding/speech-calls.ts'
import { useSpeechPorts } from '../../deciding/use-speech-ports.ts'
import { sha256Of } from '../../deciding/use-upload.ts'
import { useAnnounce } from '../../environment/announcer.tsx'
import { useGo } from '../../environment/route.ts'
import { useNotify } from '../../kit/index.ts'
import { words } from '../../words/speech.ts'

export type TalkState = 'idle' | 'starting' | 'listening' | 'writing'

export interface Talking {
  readonly state: TalkState
  /** Whole seconds since it listens. */
  readonly seconds: number
  readonly begin: () => void
  readonly finish: () => void
  readonly discard: () => void
}

/** Longer than anybody holds a button; what was said until then is written down. */
const longestSeconds = 300

export function useTalking(onWords: (text: string) => void): Talking {
  const ports = useSpeechPorts()
  const notify = useNotify()
  const announce = useAnnounce()
  const go = useGo()
  const [state, setState] = useState<TalkState>('idle')
  const [seconds, setSeconds] = useState(0)
  /** Null between; an attempt that is no longer the current one discards what it gets. */
  const attempt = useRef<{ recording: Recording | null } | null>(null)

  const fail = useCallback(
    (error: unknown) => {
      const { text, to } = troubleOf(error)
      const action = to && {
        action: { label: to === '/tools' ? words.toTools : words.toModels, run: () => go(to) },
      }
      notify({ text, tone: 'bad', ...action })
    },
    [notify, go],
  )

  const begin = useCallback(async () => {
    if (attempt.current !== null) return
    const mine: { recording: Recording | null } = { recording: null }
    attempt.current = mine
    setState('starting')
    try {
      // Before anybody has said anything in vain.
      const lack = await lackOf(ports, 'speech_to_text')
      if (lack !== null) throw new Lacking(lack)
      const recording = await startRecording()
      if (attempt.current !== mine) return recording.discard()
      mine.recording = recording
      setSeconds(0)
      setState('listening')
      announce(words.listening('0:00'))
    } catch (error) {
      if (attempt.current === mine) attempt.current = null
      setState('idle')
      fail(error)
    }
  }, [announce, fail, ports])

  const discard = useCallback(() => {
    const recording = attempt.current?.recording
    if (attempt.current === null) return
    attempt.current = null
    recording?.discard()
    setState('idle')
    announce(words.discarded)
  }, [announce])

  const finish = useCallback(async () => {
    const recording = attempt.current?.recording
    // Let go before the microphone was there: nothing was said yet.
    if (!recording) return discard()
    setState('writing')
    announce(words.writing)
    try {
      const file = await recording.finish()
      const upload = { send: ports.client.uploadPart, base64: base64Of, sha256: sha256Of }
      const text = (await writeDown(ports, upload, file)).trim()
      if (text === '') notify({ text: words.nothing })
      else {
        onWords(text)
        announce(words.written)
      }
    } catch (error) {
      fail(error)
    } finally {
      attempt.current = null
      setState('idle')
    }
  }, [announce, discard, fail, notify, onWords, ports])

  useEffect(() => {
    if (state !== 'listening') return
    const timer = window.setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => window.clearInterval(timer)
  }, [state])
  useEffect(() => {
    if (seconds >= longestSeconds && state === 'listening') void finish()
  }, [seconds, state, finish])
  // Who leaves the page does not go on being recorded.
  useEffect(
    () => () => {
      attempt.current?.recording?.discard()
      attempt.current = null
    },
    [],
  )
  return { state, seconds, begin: () => void begin(), finish: () => void finish(), discard }
}

/** Something is missing that the operator has to switch on or choose. */
class Lacking extends Error {
  readonly lack: SpeechLack
  constructor(lack: SpeechLack) {
    super(lack)
    this.lack = lack
  }
}

/** What went wrong, and the screen on which it is put right. */
function troubleOf(error: unknown): { readonly text: string; readonly to?: '/tools' | '/models' } {
  if (error instanceof Lacking)
    return error.lack === 'off' ? { text: words.off, to: '/tools' } : { text: words.noModel, to: '/models' }
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return { text: words.notAllowed }
  if (name === 'NotFoundError' || error instanceof TypeError) return { text: words.noMicrophone }
  return { text: words.failed(error instanceof Error ? error.message : String(error)) }
}
