/** Gives what calls for a voice need of the app. */
import { useMemo } from 'react'
import { useClient } from '../environment/services.tsx'
import { words as deciding } from '../words/deciding.ts'
import { words } from '../words/speech.ts'
import type { SpeechPorts } from './speech-calls.ts'

export function useSpeechPorts(): SpeechPorts {
  const client = useClient()
  return useMemo(
    () => ({
      client,
      wait: (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms)),
      tooLong: deciding.direct.tooLong,
      waits: words.waits,
      changed: words.changed,
    }),
    [client],
  )
}
