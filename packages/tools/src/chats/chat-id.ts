/** Owns how somebody in a chat is named in a call, and who that is. */
import type { ChatPerson } from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'

export const category = 'chats'

export const chatId = ({ channel, peer }: Pick<ChatPerson, 'channel' | 'peer'>): string =>
  `${channel}/${peer}`

export async function findPerson(
  to: string,
  { assistant }: RecordToolContext,
): Promise<ChatPerson | undefined> {
  return (await assistant.chats.people()).find((person) => chatId(person) === to)
}

export const nobody = (to: string): string =>
  `Nobody who was let in is ${JSON.stringify(to)}. See whom you can write to with list_chats.`
