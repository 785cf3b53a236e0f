/**
 * Owns what is said and what is known of it. A server reads in order: when it answers a ping behind a message it has the
 * message, and has said so if it refuses it. A room shows everybody their own messages too.
 */

import { plainMarkdown } from '../frame/plain-markdown.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { bareOf, pingMarkup, StanzaError, type XmppSession } from './session.ts'
import { attrOf, childOf, type Markup, type XmlElement, xml } from './xml.ts'

export interface XmppSender {
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
  typing(chat: string): void
  /** Every message that comes. */
  hear(message: XmlElement): void
  /** The connection is gone. */
  lost(): void
}

export interface SenderParts {
  readonly session: XmppSession
  /** What we are called in a room that we are in; null in one that we are not in. Undefined where it is no room. */
  readonly nickIn: (chat: string) => string | null | undefined
}

const address = /^[^\s@/<>"'&:]{1,200}@[^\s@/<>"'&:]{1,250}$/
const ourId = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const roomMs = 30_000
const laterMs = 2_000

export function createXmppSender({ session, nickIn }: SenderParts): XmppSender {
  const waiting = new Map<string, (result: SendResult) => void>()

  /** Says it, and waits for the first that tells what became of it. */
  async function deliver(chat: string, id: string, name: string, markup: Markup): Promise<SendResult> {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    const sent = { kind: 'sent', message: name } as const
    const timer = setTimeout(() => resolve(unknown), roomMs)
    waiting.set(id, (result) => resolve(result.kind === 'sent' ? sent : result))
    if (!session.say(markup)) resolve(notConnected)
    else if (nickIn(chat) === undefined)
      session.ask('get', session.domain, pingMarkup).then(
        () => resolve(sent),
        (error: unknown) => resolve(error instanceof StanzaError ? sent : unknown),
      )
    const result = await promise
    clearTimeout(timer)
    waiting.delete(id)
    return result
  }

  async function put(message: OutboundMessage, replaces: string | undefined): Promise<SendResult> {
    const { chat } = message
    if (!address.test(chat)) return refused('This is no address on XMPP.')
    if (message.file) return refused('Files are not sent there.')
    if (nickIn(chat) === null) return { kind: 'later', afterMs: null, problem: 'The room has not let us in.' }
    const id = crypto.randomUUID()
    const markup = compose(message, { id, replaces, type: typeOf(chat) })
    if (!markup) return refused('There is nothing in it that can be shown.')
    return deliver(chat, id, replaces ?? id, markup)
  }

  const typeOf = (chat: string) => (nickIn(chat) === undefined ? 'chat' : 'groupchat')

  return {
    send: (message) => put(message, undefined),
    edit: async (message, change) =>
      ourId.test(message) ? put(change, message) : refused('There is no such message of ours.'),
    typing(chat) {
      if (!address.test(chat) || nickIn(chat) === null) return
      session.say(xml('message', { to: chat, type: typeOf(chat) }, xml('composing', { xmlns: chatStates })))
    },
    hear(message) {
      const settle = waiting.get(attrOf(message, 'id'))
      const from = attrOf(message, 'from')
      const room = bareOf(from)
      if (!settle) return
      if (attrOf(message, 'type') === 'error') settle(complaint(childOf(message, 'error')))
      else if (attrOf(message, 'type') === 'groupchat' && from === `${room}/${nickIn(room)}`)
        settle({ kind: 'sent', message: '' })
    },
    lost() {
      for (const settle of waiting.values()) settle(unknown)
    },
  }
}

interface Wrapping {
  readonly id: string
  readonly type: string
  readonly replaces: string | undefined
}

/** Undefined where nothing of it can be shown. */
function compose(message: OutboundMessage, { id, type, replaces }: Wrapping): Markup | undefined {
  const isPlain = message.format === 'plain'
  const text = isPlain ? message.text : plainMarkdown(message.text)
  if (text.replaceAll(/[\s\p{Cc}]/gu, '') === '') return undefined
  return xml(
    'message',
    { to: message.chat, type, id },
    xml('body', {}, text),
    xml('origin-id', { xmlns: 'urn:xmpp:sid:0', id }),
    // Marks in it are no marks.
    isPlain ? xml('unstyled', { xmlns: 'urn:xmpp:styling:0' }) : undefined,
    replaces ? xml('replace', { xmlns: 'urn:xmpp:message-correct:0', id: replaces }) : undefined,
    xml('active', { xmlns: chatStates }),
  )
}

const chatStates = 'http://jabber.org/protocol/chatstates'

const unknown: SendResult = { kind: 'unknown', problem: 'The server did not confirm it.' }
const notConnected: SendResult = { kind: 'later', afterMs: null, problem: 'There is no connection.' }

const refused = (problem: string): SendResult => ({ kind: 'refused', problem: problem.slice(0, 1_000) })

function complaint(error: XmlElement | undefined): SendResult {
  const { message, condition, type } = new StanzaError(error)
  // Another server had it, and did not answer ours.
  if (condition === 'remote-server-timeout') return { kind: 'unknown', problem: message }
  return type === 'wait' ? { kind: 'later', afterMs: laterMs, problem: message } : refused(message)
}
