/** Owns how a message is named: by its chat and its number there, since Telegram numbers each chat by itself. */

export interface MessagePlace {
  readonly chat: string
  readonly number: number
}

export const messageId = (chat: number | string, number: number): string => `${chat}/${number}`

/** Undefined where it is no message of ours. */
export function placeOf(id: string): MessagePlace | undefined {
  const [, chat, number] = /^(-?\d{1,19})\/(\d{1,10})$/.exec(id) ?? []
  return chat === undefined ? undefined : { chat, number: Number(number) }
}

/** The number of a chat, or a public name. */
export const isChat = (chat: string): boolean => /^(?:-?\d{1,19}|@[A-Za-z]\w{3,31})$/.test(chat)
