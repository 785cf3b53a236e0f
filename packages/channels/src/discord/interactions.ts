/** Owns how whoever presses a button is answered. Discord waits three seconds for a sign, and a quarter of an hour for words. */
import { cleanText, cutText } from '../frame/clean-text.ts'
import type { Interaction } from './inbound.ts'
import { messageText } from './message-text.ts'
import { nobody } from './outbound.ts'
import type { DiscordCall } from './rest.ts'

export interface Interactions {
  /** Nothing changes yet, and nobody is told that it failed. */
  acknowledge(press: Interaction): Promise<void>
  pressed(event: string, text: string): Promise<void>
}

const mostWaiting = 200
const deferredUpdate = 6
/** Only whoever pressed sees it. */
const ephemeral = 1 << 6

export function createInteractions(call: DiscordCall): Interactions {
  const waiting = new Map<string, Pick<Interaction, 'application_id' | 'token'>>()
  return {
    async acknowledge({ id, application_id, token }) {
      const [oldest] = waiting.keys()
      if (waiting.size >= mostWaiting && oldest !== undefined) waiting.delete(oldest)
      waiting.set(id, { application_id, token })
      await call('POST', `/interactions/${id}/${encodeURIComponent(token)}/callback`, {
        type: deferredUpdate,
      })
    },
    async pressed(event, text) {
      const press = waiting.get(event)
      waiting.delete(event)
      // After a restart nobody knows the way back any more; the message itself says what became of it.
      if (!press) return
      await call('POST', `/webhooks/${press.application_id}/${encodeURIComponent(press.token)}`, {
        content: cutText(messageText(cleanText(text), 'plain'), 2_000),
        flags: ephemeral,
        allowed_mentions: nobody,
      })
    },
  }
}
