/**
 * Owns how messages and files get into Discord, and what is known of them when something goes wrong. Discord knows a
 * message by its nonce for some minutes, so that what may have been lost is tried again at once, and never much later.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cleanText, cutText } from '../frame/clean-text.ts'
import type { Button, OutboundFile, OutboundMessage, SendResult } from '../frame/protocol.ts'
import { messageText } from './message-text.ts'
import { type DiscordAnswer, type DiscordCall, idIn } from './rest.ts'

export interface DiscordOutboundParts {
  readonly call: DiscordCall
  readonly pause: (ms: number) => Promise<void>
  /** The token is not accepted any more. */
  readonly onUnaccepted: (problem: string) => void
}

export interface DiscordOutbound {
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
  typing(chat: string, thread: string | null): Promise<void>
}

/** How often one sending is tried while it is not known what became of it. */
export const tries = 3
const pausesMs = [200, 500]
const mostInRow = 5
const longestContent = 2_000
const longestLabel = 80
const tokenPauseMs = 5 * 60_000

const Posted = z.looseObject({ id: z.string().regex(/^\d{1,20}$/) })

export function createDiscordOutbound(parts: DiscordOutboundParts): DiscordOutbound {
  const { call, pause, onUnaccepted } = parts

  function resultOf(answer: DiscordAnswer): SendResult {
    switch (answer.kind) {
      case 'ok': {
        const posted = Posted.safeParse(answer.data)
        return posted.success
          ? { kind: 'sent', message: posted.data.id }
          : { kind: 'unknown', problem: 'Discord did not say which message it is.' }
      }
      case 'unaccepted':
        onUnaccepted(answer.problem)
        return { kind: 'later', afterMs: tokenPauseMs, problem: answer.problem }
      case 'refused':
      case 'later':
      case 'unknown':
        return answer
    }
  }

  async function post(path: string, compose: () => Readonly<Record<string, unknown>> | FormData) {
    let result = resultOf(await call('POST', path, compose()))
    for (let tried = 1; result.kind === 'unknown' && tried < tries; tried += 1) {
      const { problem } = result
      try {
        await pause(pausesMs[tried - 1] ?? 0)
      } catch {
        return result
      }
      const again = resultOf(await call('POST', path, compose()))
      // What is refused now may have been taken before.
      result = again.kind === 'sent' ? again : { kind: 'unknown', problem }
    }
    return result
  }

  return {
    async send(message) {
      const channel = idIn(message.thread ?? message.chat)
      if (channel === undefined) return { kind: 'refused', problem: 'That is no channel of Discord.' }
      const { file } = message
      const body = { ...bodyOf(message), nonce: nonceOf(message.key), enforce_nonce: true }
      return post(`/channels/${channel}/messages`, () => (file ? formOf(body, file) : body))
    },
    async edit(message, change) {
      const channel = idIn(change.thread ?? change.chat)
      const id = idIn(message)
      if (channel === undefined || id === undefined)
        return { kind: 'refused', problem: 'That is no message of Discord.' }
      return resultOf(await call('PATCH', `/channels/${channel}/messages/${id}`, bodyOf(change)))
    },
    async typing(chat, thread) {
      const channel = idIn(thread ?? chat)
      if (channel !== undefined) await call('POST', `/channels/${channel}/typing`)
    },
  }
}

/** Whatever a text says, nobody is called by it. */
export const nobody = { parse: [] }

function bodyOf({ text, format, buttons }: OutboundMessage): Readonly<Record<string, unknown>> {
  const content = messageText(cleanText(text), format)
  // What grew too long by its marks is shown in a frame, where there is room for twice as much.
  const isLong = content.length > longestContent
  return {
    content: isLong ? '' : content,
    embeds: isLong ? [{ description: content }] : [],
    components: rowsOf(buttons),
    allowed_mentions: nobody,
  }
}

function rowsOf(buttons: readonly Button[]): unknown[] {
  const rows: unknown[] = []
  for (let at = 0; at < buttons.length; at += mostInRow)
    rows.push({ type: 1, components: buttons.slice(at, at + mostInRow).map(buttonOf) })
  return rows
}

function buttonOf({ label, data }: Button): Readonly<Record<string, unknown>> {
  const style = data === 'approve' ? 3 : data === 'deny' ? 4 : 2
  return { type: 2, style, label: cutText(cleanText(label), longestLabel) || '…', custom_id: data }
}

function formOf(body: Readonly<Record<string, unknown>>, file: OutboundFile): FormData {
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ ...body, attachments: [{ id: 0, filename: file.name }] }))
  form.set('files[0]', new Blob([new Uint8Array(file.bytes)], { type: file.mediaType }), file.name)
  return form
}

/** Discord takes 25 characters. */
function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25)
}
