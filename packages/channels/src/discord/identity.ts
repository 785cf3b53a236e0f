/** Owns who we are on Discord, and where the line is on which it tells what happens. */
import { z } from 'zod'
import type { Located } from './gateway.ts'
import type { DiscordAnswer, DiscordCall } from './rest.ts'

export interface DiscordSelf {
  readonly id: string
  readonly name: string
}

export type LocatedHere = Located & {
  /** A person has to change the token. */
  readonly rejected?: string
}

export interface Identity {
  /** Undefined until it was asked once. */
  self(): DiscordSelf | undefined
  locate(): Promise<LocatedHere>
  /** It is asked anew whether the token is accepted. */
  doubt(): void
}

const Me = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  bot: z.boolean().nullish(),
})
const Place = z.looseObject({
  url: z.string().max(500),
  session_start_limit: z.looseObject({ remaining: z.number(), reset_after: z.number() }).optional(),
})
const rejectedPauseMs = 60_000

export function createIdentity(call: DiscordCall, isTheirs: (url: string) => boolean): Identity {
  let self: DiscordSelf | undefined
  let isKnown = false
  return {
    self: () => self,
    doubt() {
      isKnown = false
    },
    async locate() {
      if (!isKnown) {
        const answer = await call('GET', '/users/@me')
        if (answer.kind !== 'ok') return unlocated(answer)
        const { data: me } = Me.safeParse(answer.data)
        if (!me) return { problem: 'Discord does not say who we are.', afterMs: null }
        self = { id: me.id, name: me.username }
        isKnown = true
      }
      const answer = await call('GET', '/gateway/bot')
      if (answer.kind !== 'ok') return unlocated(answer)
      const { data: place } = Place.safeParse(answer.data)
      if (!place || !isTheirs(place.url.replace(/^ws/, 'http')))
        return { problem: 'Discord named no address of its own to listen at.', afterMs: null }
      const { remaining, reset_after } = place.session_start_limit ?? { remaining: 1, reset_after: 0 }
      if (remaining > 0) return { url: place.url }
      return {
        problem: 'Discord allows no more sessions for now.',
        afterMs: Math.min(reset_after, 3_600_000),
      }
    },
  }
}

function unlocated(answer: Exclude<DiscordAnswer, { kind: 'ok' }>): LocatedHere {
  const { problem } = answer
  if (answer.kind === 'refused' || answer.kind === 'unaccepted')
    return { problem, afterMs: rejectedPauseMs, rejected: problem }
  return { problem, afterMs: answer.kind === 'later' ? answer.afterMs : null }
}
