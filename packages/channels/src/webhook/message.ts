/** Owns how the body of a signed request becomes a message. Pure. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { InboundMessage } from '../frame/events.ts'
import { isoTime } from '../frame/iso-time.ts'
import type { Signed } from './signature.ts'

export interface Body {
  readonly source: string
  readonly signed: Signed
  readonly text: string | undefined
  readonly now: Date
}

export type BodyRead =
  | { readonly kind: 'message'; readonly event: InboundMessage }
  /** Nothing is to be done about it. */
  | { readonly kind: 'greeting' }
  | { readonly kind: 'unreadable'; readonly problem: string }

const Name = z.string().min(1).max(100)

/** What it says besides the text counts only where it is well formed. */
const Message = z.object({
  text: z.string(),
  from: Name.optional().catch(undefined),
  chat: Name.optional().catch(undefined),
})
/** When it happened, as Standard Webhooks recommend to say it: the same whenever it is sent again. */
const Timed = z.object({ timestamp: z.string() })

const idShape = /^[!-~]{1,200}$/
const eventShape = /^[a-z_]{1,60}$/
const longestText = 100_000
const longestJson = 20_000

export function readBody({ source, signed, text, now }: Body): BodyRead {
  if (!idShape.test(signed.id))
    return { kind: 'unreadable', problem: 'The id of the delivery is not well formed.' }
  if (signed.by === 'github' && !eventShape.test(signed.event))
    return { kind: 'unreadable', problem: 'The event is not well formed.' }
  const json = jsonOf(text)
  if (json === undefined) return { kind: 'unreadable', problem: 'The body is no JSON in UTF-8.' }
  if (signed.by === 'github' && signed.event === 'ping') return { kind: 'greeting' }
  const said = signed.by === 'github' ? undefined : Message.safeParse(json).data
  if (said?.text.trim() === '') return { kind: 'unreadable', problem: 'The text is empty.' }
  const sender = placeIn(source, said?.from)
  const chat = placeIn(source, said?.chat)
  const words = said?.text ?? `${signed.by === 'github' ? `GitHub: ${signed.event}\n` : ''}${fenced(json)}`
  return {
    kind: 'message',
    event: {
      type: 'message',
      // GitHub signs the body and not its id: told again under another it is the same.
      id: `${signed.by}:${signed.by === 'github' ? hashOf(text ?? '') : signed.id}`,
      chat: { id: chat, kind: 'private', title: chat },
      at: timeOf(json) ?? (signed.by === 'standard' ? signed.sentAt : now.toISOString()),
      sender: { id: sender, name: said?.from ?? source, proven: true, bot: false },
      text: words.slice(0, longestText).toWellFormed(),
      thread: null,
      addressed: true,
      forwarded: false,
      files: [],
    },
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Nobody that a source speaks for is somebody of another. */
const placeIn = (source: string, name: string | undefined): string =>
  name === undefined ? source : `${source}/${name}`

const timeOf = (json: unknown): string | undefined => isoTime(Timed.safeParse(json).data?.timestamp)

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** In a fence that nothing within it can close. */
function fenced(json: unknown): string {
  const whole = JSON.stringify(json)
  const shown = whole.length > longestJson ? `${whole.slice(0, longestJson)}…` : whole
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}json\n${shown}\n${fence}`
}
