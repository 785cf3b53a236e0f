/** Owns what people do with buttons and commands: who did it, on which message, and how they are answered. */
import { z } from 'zod'
import { cutText } from '../frame/clean-text.ts'
import {
  chatOf,
  longestName,
  messageId,
  type SlackInboundParts,
  type SlackReading,
  senderId,
  textOf,
  timeOf,
} from './inbound.ts'

const Text = z.string().nullish()

const Press = z.looseObject({
  type: z.literal('block_actions'),
  team: z.looseObject({ id: z.string() }).nullish(),
  user: z.looseObject({ id: z.string(), team_id: Text, username: Text, name: Text }),
  container: z.looseObject({ channel_id: Text, message_ts: Text }).nullish(),
  channel: z.looseObject({ id: z.string() }).nullish(),
  message: z.looseObject({ ts: Text }).nullish(),
  actions: z.array(z.looseObject({ value: Text, action_ts: Text })),
})

const Slash = z.looseObject({
  team_id: z.string(),
  user_id: z.string(),
  channel_id: z.string(),
  text: Text,
  trigger_id: z.string(),
})

/** Undefined where no button of a message of ours was pressed. */
export function readInteractive(
  payload: unknown,
  { directory }: SlackInboundParts,
): SlackReading | undefined {
  const press = Press.safeParse(payload).data
  const [action] = press?.actions ?? []
  const chat = press?.channel?.id ?? press?.container?.channel_id
  const ts = press?.container?.message_ts ?? press?.message?.ts
  const pressedAt = action?.action_ts ?? ''
  const at = timeOf(pressedAt)
  if (!press || !action || !chat || !ts || !at) return undefined
  const { user } = press
  const id = pressId({ chat, user: user.id, message: ts, at: pressedAt })
  return {
    chat,
    id,
    isMessage: false,
    async compose() {
      const name = cutText(await directory.person(user.id), longestName)
      return {
        type: 'pressed',
        id,
        chat: await chatOf(chat, name, directory),
        at,
        sender: {
          id: senderId(user.team_id ?? press.team?.id ?? '', user.id),
          name,
          proven: true,
          bot: false,
        },
        message: messageId(chat, ts),
        data: (action.value ?? '').slice(0, 200),
      }
    },
  }
}

/** A command of the app, `/name words`: the words count as a message to us. */
export function readSlashCommand(payload: unknown, parts: SlackInboundParts): SlackReading | undefined {
  const slash = Slash.safeParse(payload).data
  if (!slash) return undefined
  const { channel_id: chat, user_id: user, team_id: team } = slash
  const id = `${chat}:command:${slash.trigger_id}`.slice(0, 300)
  const at = new Date().toISOString()
  return {
    chat,
    id,
    isMessage: false,
    async compose() {
      const name = cutText(await parts.directory.person(user), longestName)
      return {
        type: 'message',
        id,
        chat: await chatOf(chat, name, parts.directory),
        at,
        sender: { id: senderId(team, user), name, proven: true, bot: false },
        text: await textOf(slash.text ?? '', parts),
        thread: null,
        addressed: true,
        forwarded: false,
        files: [],
      }
    },
  }
}

export interface PressParts {
  readonly chat: string
  readonly user: string
  readonly message: string
  readonly at: string
}

/** Says all that is needed to answer whoever pressed, also after a restart. */
export const pressId = ({ chat, user, message, at }: PressParts): string =>
  `${chat}:${message}:pressed:${user}:${at}`

export function readPressId(id: string): PressParts | undefined {
  const [chat, message, word, user, at] = id.split(':')
  return chat && message && word === 'pressed' && user && at ? { chat, user, message, at } : undefined
}
