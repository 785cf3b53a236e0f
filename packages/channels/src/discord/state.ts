/** Owns what is kept of Discord for the next start: the session to resume, and how far each private chat was taken. */
import { z } from 'zod'
import type { GatewaySession } from './gateway.ts'

const Kept = z.strictObject({
  session: z.strictObject({ id: z.string(), url: z.string(), seq: z.int() }).nullable(),
  seen: z.array(z.tuple([z.string().max(30), z.string().max(30)])),
})

export interface DiscordState {
  readonly session: GatewaySession | null
  readonly seen: readonly (readonly [chat: string, message: string])[]
}

export function readState(state: string | null): DiscordState {
  if (state === null) return { session: null, seen: [] }
  try {
    return Kept.parse(JSON.parse(state))
  } catch {
    // Written by another version: a new session begins.
    return { session: null, seen: [] }
  }
}

export const stateOf = (state: DiscordState): string => JSON.stringify(state)
