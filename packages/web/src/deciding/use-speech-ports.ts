/** Gives what calls for a voice need of the app. */
import { useMemo } from 'react'
import { useClient } from '../environment/services.tsx'
import { words as deciding } from '../words/deciding.ts'
import { words } from '../words/voice.ts'
import type { VoicePorts } from './voice-calls.ts'

export function useVoicePorts(): VoicePorts {
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
