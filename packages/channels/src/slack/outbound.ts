/** Owns how messages and files get into Slack, and what is known of them when something goes wrong. */
import { z } from 'zod'
import { cleanText } from '../frame/clean-text.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { fallbackText, messageBlocks } from './blocks.ts'
import { shareFile } from './file-share.ts'
import { messageId, tsOf } from './inbound.ts'
import { readPressId } from './interactions.ts'
import type { SlackAnswer, SlackCall } from './web-api.ts'

export interface SlackOutboundParts {
  readonly asBot: SlackCall
  /** Whether an address is one of Slack's. */
  readonly isTheirs: (url: string) => boolean
  /** The token is not accepted any more. */
  readonly onUnaccepted: (problem: string) => void
  readonly signal: AbortSignal
}

export interface SlackOutbound {
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
  pressed(event: string, text: string): Promise<void>
}

const Posted = z.looseObject({ ts: z.string().min(1).max(40) })
const tokenPauseMs = 5 * 60_000

export function createSlackOutbound(parts: SlackOutboundParts): SlackOutbound {
  const { asBot } = parts

  /** What an answer other than `ok` says about a message. */
  function failed(answer: Exclude<SlackAnswer, { kind: 'ok' }>): SendResult {
    switch (answer.kind) {
      case 'refused':
        return { kind: 'refused', problem: `Slack refused it: ${answer.error}.` }
      case 'unaccepted':
        parts.onUnaccepted(`Slack does not accept the bot token: ${answer.error}.`)
        return { kind: 'later', afterMs: tokenPauseMs, problem: `Slack says: ${answer.error}.` }
      case 'later':
      case 'unknown':
        return answer
    }
  }

  async function post(method: string, message: OutboundMessage, ts?: string): Promise<SendResult> {
    const answer = await asBot(method, {
      channel: message.chat,
      ts,
      thread_ts: ts === undefined ? (message.thread ?? undefined) : undefined,
      text: fallbackText(message.text),
      blocks: JSON.stringify(messageBlocks(message)),
      parse: 'none',
      link_names: 'false',
      ...(ts === undefined ? { mrkdwn: 'false', unfurl_links: 'false', unfurl_media: 'false' } : {}),
    })
    if (answer.kind !== 'ok') return failed(answer)
    const posted = Posted.safeParse(answer.data)
    if (!posted.success) return { kind: 'unknown', problem: 'Slack did not say which message it is.' }
    return { kind: 'sent', message: messageId(message.chat, posted.data.ts) }
  }

  return {
    send(given) {
      const message = { ...given, text: cleanText(given.text) }
      return message.file === null
        ? post('chat.postMessage', message)
        : shareFile({ ...parts, failed }, message, message.file)
    },
    edit: (message, change) =>
      post('chat.update', { ...change, text: cleanText(change.text) }, tsOf(message)),
    async pressed(event, text) {
      const press = readPressId(event)
      if (!press) return
      await asBot('chat.postEphemeral', {
        channel: press.chat,
        user: press.user,
        text: fallbackText(cleanText(text)),
        blocks: JSON.stringify(messageBlocks({ text: cleanText(text), format: 'plain', buttons: [] })),
      })
    },
  }
}
