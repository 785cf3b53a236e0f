/** Owns what the channel keeps: how far the homeserver was heard, what was heard and not taken yet, and the keys. */
import { z } from 'zod'
import { InboundEvent } from '../frame/events.ts'
import { KeyDump } from './crypto-store.ts'

/** An encrypted event whose key has not come yet. */
export const LockedEvent = z.object({
  room: z.string(),
  event: z.record(z.string(), z.unknown()),
  since: z.number(),
})
export type LockedEvent = z.infer<typeof LockedEvent>

const State = z.object({
  device: z.string(),
  since: z.string().nullable(),
  waiting: z.array(InboundEvent),
  locked: z.array(LockedEvent),
  encrypted: z.array(z.string()),
  keys: KeyDump.nullable(),
})
export type MatrixState = z.infer<typeof State>

/** What is kept belongs to a device; with another token it is worth nothing. */
export function readState(text: string | null, device: string): MatrixState {
  const nothing = { device, since: null, waiting: [], locked: [], encrypted: [], keys: null }
  if (text === null) return nothing
  const read = State.safeParse(jsonOf(text))
  if (!read.success) return nothing
  const { since, waiting, encrypted } = read.data
  return read.data.device === device ? read.data : { ...nothing, since, waiting, encrypted }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
