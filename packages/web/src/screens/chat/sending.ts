/** Owns messages on their way: each has its own key, so that one sent twice is admitted once, and waits while nothing answers. */
import {
  type Addressee,
  type Attachment,
  type ConversationChoice,
  CountersignError,
  type InputMode,
  type ModelChoice,
  type SessionId,
} from '@countersign/contract'
import { useEffect, useRef, useState } from 'react'
import { useLive, useServices } from '../../environment/services.tsx'

export interface OutgoingMessage extends Addressee, ModelChoice, ConversationChoice {
  readonly key: string
  readonly session: SessionId | null
  readonly text: string
  readonly attachments?: Attachment[]
  readonly mode: InputMode
}

export function useSending(onAdmitted: (session: SessionId) => void, onRefused: (message: string) => void) {
  const { client } = useServices()
  const online = useLive((live) => live.link.kind === 'live')
  const [waiting, setWaiting] = useState<readonly OutgoingMessage[]>([])
  const under = useRef(new Set<string>())

  useEffect(() => {
    if (!online) return
    for (const message of waiting) {
      if (under.current.has(message.key)) continue
      under.current.add(message.key)
      const arrived = () => setWaiting((all) => all.filter(({ key }) => key !== message.key))
      client
        .send(message)
        .then(({ session }) => {
          arrived()
          if (message.session === null) onAdmitted(session)
        })
        .catch((error: unknown) => {
          under.current.delete(message.key)
          if (error instanceof CountersignError && error.code === 'gateway_unreachable') return
          arrived()
          onRefused(error instanceof Error ? error.message : String(error))
        })
    }
  }, [online, waiting, client, onAdmitted, onRefused])

  return {
    waiting,
    send: (message: Omit<OutgoingMessage, 'key'>) =>
      setWaiting((all) => [...all, { key: crypto.randomUUID(), ...message }]),
  }
}
