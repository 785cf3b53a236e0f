/** Owns the way to Telegram: who we are there, what comes in by asking again and again, and what goes out. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ChannelAdapter,
  type ChannelConnection,
  type ChannelContext,
  RejectedError,
} from '../frame/adapter.ts'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { type BotApi, createBotApi } from './bot-api.ts'
import { placeParameters } from './compose.ts'
import { isChat } from './ids.ts'
import { TelegramSettings, telegramManifest } from './manifest.ts'
import { poll } from './poll.ts'
import { editMessage, sendMessage } from './send.ts'
import { FileInfo, Me, type User } from './update.ts'

type Context = ChannelContext<Readonly<Record<string, unknown>>>

const firstPauseMs = 250
const longestPauseMs = 30_000
const longestNotice = 200

export const telegramAdapter: ChannelAdapter<Readonly<Record<string, unknown>>> = {
  manifest: telegramManifest,
  open,
}

async function open(context: Context): Promise<ChannelConnection> {
  const { apiRoot = 'https://api.telegram.org' } = TelegramSettings.parse(context.settings)
  const token = context.secrets['token'] ?? ''
  if (!/^\d+:[\w-]+$/.test(token))
    throw new RejectedError('This is no token of a bot; it looks like 123456:ABC-DEF.')
  const api = createBotApi({ apiRoot, token, signal: context.signal })
  const me = await whoWeAre(api, context)
  const account = { id: String(me.id), name: me.username ?? me.first_name }
  context.connected(account)
  const polling = poll({
    api,
    me,
    take: context.take,
    connected: () => context.connected(account),
    disconnected: context.disconnected,
    signal: context.signal,
  })
  return {
    send: (message) => sendMessage(api, message),
    edit: (message, change) => editMessage(api, message, change),
    async typing(chat, thread) {
      if (isChat(chat))
        await api.call('sendChatAction', { ...placeParameters(chat, thread), action: 'typing' })
    },
    fetch: (ref, most) => fetchFile(api, ref, most),
    async pressed(event, text) {
      await api.call('answerCallbackQuery', {
        callback_query_id: event,
        text: text.slice(0, longestNotice).toWellFormed(),
      })
    },
    close: () => polling,
  }
}

/** Asks until Telegram answers; only a token that it does not know ends it. */
async function whoWeAre(api: BotApi, { signal, disconnected }: Context): Promise<User> {
  for (let tries = 0; ; tries += 1) {
    const answer = await api.call('getMe', {})
    signal.throwIfAborted()
    if (answer.kind === 'done') {
      const me = Me.safeParse(answer.result)
      if (me.success) return me.data
      throw new RejectedError('The address of the Bot API server is that of something else.')
    }
    // A token of the wrong shape is no address to it.
    if (answer.kind === 'failed' && (answer.code === 401 || answer.code === 404))
      throw new RejectedError('Telegram does not know this token. Ask @BotFather for the token of the bot.')
    disconnected(answer.problem)
    const asked = answer.kind === 'failed' ? (answer.retryAfterMs ?? 0) : 0
    await pause(Math.max(pauseAfter(tries, firstPauseMs, longestPauseMs), asked), undefined, { signal })
  }
}

async function fetchFile(api: BotApi, ref: string, most: number): Promise<Uint8Array> {
  if (!/^[\w-]{1,500}$/.test(ref)) throw new Error('There is no such file in Telegram.')
  const answer = await api.call('getFile', { file_id: ref })
  if (answer.kind !== 'done') throw new Error(answer.problem)
  const { file_path: path, file_size: size } = FileInfo.parse(answer.result)
  if (size !== undefined && size > most) throw new Error(`It is larger than ${most} bytes.`)
  return api.download(path, most)
}
