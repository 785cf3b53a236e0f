/** Owns the way to WhatsApp: notices come to our address on the web, messages go to the Cloud API. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type ChannelAdapter,
  type ChannelConnection,
  type ChannelContext,
  RejectedError,
} from '../frame/adapter.ts'
import type { OutboundMessage, SendResult, WebAnswer, WebRequest } from '../frame/protocol.ts'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { jsonIn } from '../frame/web-call.ts'
import { composed, fileName, recipientOf, uploadType } from './compose.ts'
import { createGraph, failureOf, type Graph, isTokenProblem, sendResultOf, uploadResultOf } from './graph.ts'
import { type WhatsappSettings, whatsappManifest } from './manifest.ts'
import { challengeOf, eventsIn, isSigned } from './webhook.ts'

export const whatsappAdapter: ChannelAdapter<WhatsappSettings> = { manifest: whatsappManifest, open }

interface Line {
  readonly context: ChannelContext<WhatsappSettings>
  readonly graph: Graph
  /** The last message of each chat: it is marked as read when we begin to answer. */
  readonly last: Map<string, string>
  /** Runs until it is connected again. */
  trying: Promise<void> | undefined
}

async function open(context: ChannelContext<WhatsappSettings>): Promise<ChannelConnection> {
  const { settings, secrets, signal } = context
  const { accessToken = '', appSecret = '', verifyToken = '' } = secrets
  if (accessToken === '' || appSecret === '' || verifyToken === '')
    throw new RejectedError('A secret of WhatsApp is missing.')
  const graph = createGraph({ ...settings, accessToken, appSecret, signal })
  const line: Line = { context, graph, last: new Map(), trying: undefined }
  if (!(await introduce(line))) tryAgain(line)
  return {
    send: (message) => send(line, message),
    typing: (chat) => typing(line, chat),
    fetch: (ref, most) => graph.download(ref, most),
    request: (request) => answer(line, request, { appSecret, verifyToken }),
    close: async () => line.trying,
  }
}

const Account = z.looseObject({
  display_phone_number: z.string().catch(''),
  verified_name: z.string().catch(''),
})

/** Whether we are known there. Throws `RejectedError` where a person must change something. */
async function introduce({ context, graph }: Line): Promise<boolean> {
  const answered = await graph.account()
  if (answered.kind === 'answered' && answered.status === 200) {
    const { display_phone_number: number, verified_name: name } = Account.catch({
      display_phone_number: '',
      verified_name: '',
    }).parse(jsonIn(answered.body))
    const shown = `${name} ${number}`.trim().slice(0, 300)
    context.connected({ id: context.settings.phoneNumberId, name: shown })
    return true
  }
  if (answered.kind !== 'answered') {
    context.disconnected(`WhatsApp cannot be reached: ${answered.problem}`)
    return false
  }
  const failure = failureOf(answered.body)
  const problem = failure?.words ?? `WhatsApp answered ${answered.status}.`
  // 100 and 33: there is no such number, or it is not of this app.
  const isWrong =
    isTokenProblem(answered.status, failure?.code) || failure?.code === 100 || failure?.code === 33
  if (isWrong) throw new RejectedError(problem)
  context.disconnected(problem)
  return false
}

const firstPauseMs = 500
const longestPauseMs = 60_000

function tryAgain(line: Line): void {
  line.trying ??= keepTrying(line).finally(() => {
    line.trying = undefined
  })
}

async function keepTrying(line: Line): Promise<void> {
  const { context } = line
  for (let failures = 0; !context.signal.aborted; failures += 1) {
    try {
      await pause(pauseAfter(failures, firstPauseMs, longestPauseMs), undefined, { signal: context.signal })
      if (await introduce(line)) return
    } catch (error) {
      if (context.signal.aborted) return
      context.disconnected(error instanceof Error ? error.message : String(error))
    }
  }
}

async function send(line: Line, message: OutboundMessage): Promise<SendResult> {
  const { context, graph } = line
  const recipient = recipientOf(message.chat)
  if (!recipient) return { kind: 'refused', problem: 'This is no chat of WhatsApp.' }
  let media: string | null = null
  if (message.file) {
    const uploaded = uploadResultOf(
      await graph.upload(message.file.bytes, uploadType(message.file), fileName(message.file)),
    )
    if (uploaded.kind !== 'uploaded') return uploaded
    media = uploaded.id
  }
  const bodies = composed(message, recipient, media)
  let first: SendResult | undefined
  for (const body of bodies) {
    const answered = await graph.send(body)
    const result = sendResultOf(answered)
    if (answered.kind === 'answered' && isTokenProblem(answered.status, failureOf(answered.body)?.code)) {
      context.disconnected('WhatsApp does not accept the access token any more.')
      tryAgain(line)
    }
    // A part of it is there: what it says of the rest does not hold for the whole.
    if (result.kind !== 'sent')
      return first
        ? { kind: 'unknown', problem: `Only a part of it was sent. ${result.problem}`.slice(0, 1_000) }
        : result
    // Buttons and words come last, and what is answered is them.
    first = result
  }
  return first ?? { kind: 'refused', problem: 'There is nothing in it.' }
}

const mostChats = 1_000

async function typing({ graph, last }: Line, chat: string): Promise<void> {
  const message = last.get(chat)
  if (message === undefined) return
  await graph.send({
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: message,
    typing_indicator: { type: 'text' },
  })
}

/** Says that it was taken when all of it is in the database; otherwise Meta tells it again. */
async function answer(
  { context, last }: Line,
  request: WebRequest,
  secrets: { readonly appSecret: string; readonly verifyToken: string },
): Promise<WebAnswer> {
  const said = (status: number, text: string): WebAnswer => ({ status, mediaType: 'text/plain', text })
  if (request.method === 'GET') {
    const challenge = challengeOf(request, secrets.verifyToken)
    return challenge === undefined ? said(403, 'No.') : said(200, challenge)
  }
  if (!isSigned(request, secrets.appSecret)) return said(401, 'No.')
  for (const event of eventsIn(request.body, context.settings.phoneNumberId)) {
    try {
      await context.take(event)
    } catch {
      return said(503, 'Not now.')
    }
    if (event.type !== 'message') continue
    last.delete(event.chat.id)
    last.set(event.chat.id, event.id)
    const [oldest] = last.size > mostChats ? last.keys() : []
    if (oldest !== undefined) last.delete(oldest)
  }
  return said(200, 'Taken.')
}
