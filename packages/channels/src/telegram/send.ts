/** Owns what becomes of a message of ours: sent, surely not sent, refused for ever, or not known. */
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import type { ApiAnswer, BotApi, CallFile, CallParameters } from './bot-api.ts'
import {
  captionParameters,
  fileCall,
  fitsCaption,
  keyboardOf,
  placeParameters,
  renderText,
  textParameters,
} from './compose.ts'
import { isChat, messageId, placeOf } from './ids.ts'
import { SentMessage } from './update.ts'

const refused = (problem: string): SendResult => ({ kind: 'refused', problem })

export async function sendMessage(api: BotApi, message: OutboundMessage): Promise<SendResult> {
  const { chat, thread, file, buttons } = message
  if (!isChat(chat)) return refused('There is no such chat in Telegram.')
  const keyboard = keyboardOf(buttons)
  if (!keyboard) return refused('A button without words, or with more than Telegram takes, cannot be shown.')
  const shown = buttons.length === 0 ? {} : { reply_markup: keyboard }
  const text = renderText(message)
  const place = placeParameters(chat, thread)
  if (!file) {
    if (text.text === '') return refused('There is nothing to say.')
    return calledIn(api, 'sendMessage', { ...place, ...textParameters(text), ...shown })
  }
  const { method, file: content } = fileCall(file)
  if (fitsCaption(text))
    return calledIn(api, method, { ...place, ...captionParameters(text), ...shown }, content)
  const before = await calledIn(api, 'sendMessage', { ...place, ...textParameters(text) })
  if (before.kind !== 'sent') return before
  const after = await calledIn(api, method, { ...place, ...shown }, content)
  // The words are there already: it is not for another try.
  return after.kind === 'later' ? { kind: 'unknown', problem: after.problem } : after
}

export async function editMessage(
  api: BotApi,
  message: string,
  change: OutboundMessage,
): Promise<SendResult> {
  const place = placeOf(message)
  if (!place) return refused('There is no such message in Telegram.')
  const keyboard = keyboardOf(change.buttons)
  const text = renderText(change)
  if (!keyboard || text.text === '') return refused('It cannot be shown.')
  const answer = await api.call('editMessageText', {
    chat_id: place.chat,
    message_id: place.number,
    ...textParameters(text),
    reply_markup: keyboard,
  })
  const isDone = answer.kind === 'done' || isNotModified(answer)
  return isDone ? { kind: 'sent', message } : failureOf(answer)
}

type Placed = CallParameters & { readonly chat_id: string }

/** Once more where the group has moved. */
async function calledIn(
  api: BotApi,
  method: string,
  parameters: Placed,
  file?: CallFile,
): Promise<SendResult> {
  const options = file ? { file } : {}
  const first = await api.call(method, parameters, options)
  const movedTo = first.kind === 'failed' ? first.movedTo : null
  const chat = movedTo ?? parameters.chat_id
  const answer = movedTo === null ? first : await api.call(method, { ...parameters, chat_id: chat }, options)
  if (answer.kind !== 'done') return failureOf(answer)
  const sent = SentMessage.safeParse(answer.result)
  return { kind: 'sent', message: sent.success ? messageId(chat, sent.data.message_id) : '' }
}

function failureOf(answer: ApiAnswer): SendResult {
  switch (answer.kind) {
    case 'done':
    case 'lost':
      return { kind: 'unknown', problem: answer.kind === 'lost' ? answer.problem : 'It was done.' }
    case 'not-sent':
      return { kind: 'later', afterMs: null, problem: answer.problem }
    case 'failed':
      // Without a token that is accepted nothing is done; somebody may give it a new one.
      return answer.code === 429 || answer.code === 401
        ? { kind: 'later', afterMs: answer.retryAfterMs, problem: answer.problem }
        : refused(answer.problem)
  }
}

const isNotModified = (answer: ApiAnswer): boolean =>
  answer.kind === 'failed' && answer.code === 400 && /message is not modified/i.test(answer.problem)
