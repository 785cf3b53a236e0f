/** Owns the content of what we send, and what an answer of the homeserver says about it. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cutText } from '../frame/clean-text.ts'
import { plainTextOf } from '../frame/plain-text.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import type { Answer } from './homeserver.ts'
import { htmlOf } from './html.ts'

export type Content = Readonly<Record<string, unknown>>

/** With the text twice more in a change, and encrypted, it must fit into 65,536 bytes. */
const mostHtml = 16_000

export function contentOf(message: OutboundMessage, file: Content | undefined): Content {
  const text = plainTextOf(message)
  const html = message.format === 'markdown' ? htmlOf(message.text) : ''
  const isShown = html !== '' && Buffer.byteLength(html) <= mostHtml
  return {
    msgtype: 'm.text',
    body: text === '' && file ? file['filename'] : text,
    ...(isShown ? { format: 'org.matrix.custom.html', formatted_body: html } : {}),
    // Nobody is called by what stands in the text.
    'm.mentions': {},
    ...file,
  }
}

export function inThread(content: Content, thread: string | null): Content {
  if (thread === null) return content
  const relation = {
    rel_type: 'm.thread',
    event_id: thread,
    is_falling_back: true,
    'm.in_reply_to': { event_id: thread },
  }
  return { ...content, 'm.relates_to': relation }
}

export function changeOf(message: string, content: Content): Content {
  return {
    msgtype: 'm.text',
    // For clients that show no changes.
    body: `* ${cutText(String(content['body']), 200)}`,
    'm.mentions': {},
    'm.new_content': content,
    'm.relates_to': { rel_type: 'm.replace', event_id: message },
  }
}

/** The homeserver takes what a device sends once under this id. */
export const transactionOf = (purpose: 'send' | 'edit', key: string): string =>
  `${purpose}-${createHash('sha256').update(key).digest('hex').slice(0, 40)}`

const Sent = z.object({ event_id: z.string().min(1).max(255) })

export function sendResultOf(answer: Answer): SendResult {
  switch (answer.kind) {
    case 'done': {
      const read = Sent.safeParse(answer.body)
      if (read.success) return { kind: 'sent', message: read.data.event_id }
      return { kind: 'unknown', problem: 'The homeserver did not say under which id it was sent.' }
    }
    case 'not-sent':
      return { kind: 'later', afterMs: null, problem: answer.problem }
    case 'lost':
      return { kind: 'unknown', problem: answer.problem }
    case 'refused': {
      const { problem, retryMs, status } = answer
      if (status === 429) return { kind: 'later', afterMs: retryMs, problem }
      // Another token must be set first.
      if (status === 401) return { kind: 'later', afterMs: null, problem }
      return { kind: status >= 500 ? 'unknown' : 'refused', problem }
    }
  }
}

/** Of what was asked before anything was sent to the room. */
export function unsentResultOf(answer: Exclude<Answer, { kind: 'done' }>): SendResult {
  const result = sendResultOf(answer)
  return result.kind === 'unknown' ? { kind: 'later', afterMs: null, problem: result.problem } : result
}
