/**
 * Owns what was said while nobody listened. Slack repeats what is not answered for only for some minutes; after a longer
 * absence the known direct messages are read from where they were left.
 */
import { z } from 'zod'
import { pauseAfter } from '../frame/take-in-turn.ts'
import type { SlackMessage } from './inbound.ts'
import type { SlackCall } from './web-api.ts'

const mostPages = 100
const pageSize = '200'

const Kept = z.strictObject({ seen: z.array(z.tuple([z.string().max(50), z.string().max(40)])) })
const History = z.looseObject({
  messages: z.array(z.looseObject({ ts: z.string().max(40) })),
  has_more: z.boolean().optional(),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).nullish(),
})

/** The last that was taken in each direct message. */
export type Seen = readonly (readonly [chat: string, ts: string])[]

export function readState(state: string | null): Seen {
  if (state === null) return []
  try {
    return Kept.parse(JSON.parse(state)).seen
  } catch {
    // Written by another version: what is missed is only what Slack does not repeat.
    return []
  }
}

export function stateOf(seen: Seen): string {
  return JSON.stringify({ seen })
}

export interface MissedParts {
  readonly asBot: SlackCall
  readonly pause: (ms: number) => Promise<void>
}

/** In the order in which they were said. Nothing where Slack refuses to tell. */
export async function missedIn(
  chat: string,
  oldest: string,
  { asBot, pause }: MissedParts,
): Promise<SlackMessage[]> {
  const missed: SlackMessage[] = []
  let cursor: string | undefined
  let failures = 0
  for (let page = 0; page < mostPages; ) {
    const answer = await asBot('conversations.history', { channel: chat, oldest, cursor, limit: pageSize })
    if (answer.kind === 'refused' || answer.kind === 'unaccepted') break
    if (answer.kind !== 'ok') {
      const asked = answer.kind === 'later' ? answer.afterMs : null
      await pause(asked ?? pauseAfter(failures, 500, 60_000))
      failures += 1
      continue
    }
    const { data } = History.safeParse(answer.data)
    missed.push(...((data?.messages ?? []) as SlackMessage[]))
    cursor = data?.response_metadata?.next_cursor
    page += 1
    if (!data?.has_more || !cursor) break
  }
  return missed.toSorted((one, other) => Number(one.ts) - Number(other.ts))
}
