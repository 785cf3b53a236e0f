/** Owns the shapes of what the Bot API tells: of each object only what is read. An update that does not fit is of no use to us. */
import { z } from 'zod'

const User = z.object({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string().catch(''),
  last_name: z.string().optional().catch(undefined),
  username: z.string().optional().catch(undefined),
})
export type User = z.infer<typeof User>

const Chat = z.object({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().optional().catch(undefined),
})
export type TelegramChat = z.infer<typeof Chat>

const Entity = z.object({
  type: z.string(),
  offset: z.int().min(0),
  length: z.int().min(0),
  user: User.optional().catch(undefined),
})
export type InboundEntity = z.infer<typeof Entity>

const File = z.object({
  file_id: z.string().min(1).max(500),
  file_name: z.string().optional().catch(undefined),
  file_size: z.int().min(0).optional().catch(undefined),
})
export type TelegramFile = z.infer<typeof File>

const file = File.optional().catch(undefined)
const entities = z.array(Entity).max(1_000).optional().catch(undefined)

const Message = z.object({
  message_id: z.int(),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  from: User.optional(),
  /** A chat that speaks for itself: an anonymous administrator, or a channel. */
  sender_chat: Chat.optional(),
  chat: Chat,
  date: z.int().min(0),
  edit_date: z.int().min(0).optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  entities,
  caption_entities: entities,
  forward_origin: z.object({}).optional(),
  via_bot: z.object({}).optional(),
  reply_to_message: z
    .object({
      from: User.optional(),
      sender_chat: Chat.optional(),
      forum_topic_created: z.object({}).optional(),
    })
    .optional()
    .catch(undefined),
  document: file,
  audio: file,
  voice: file,
  video: file,
  video_note: file,
  photo: z.array(File).max(50).optional().catch(undefined),
  sticker: z.object({ emoji: z.string().optional() }).optional().catch(undefined),
})
export type TelegramMessage = z.infer<typeof Message>

const CallbackQuery = z.object({
  id: z.string().min(1).max(300),
  from: User,
  /** With the date 0 where it is too old to be told. */
  message: z.object({ message_id: z.int(), chat: Chat, date: z.int().min(0) }).optional(),
  data: z.string().max(200).optional(),
})
export type CallbackQuery = z.infer<typeof CallbackQuery>

export const Update = z.object({
  update_id: z.int(),
  message: Message.optional(),
  channel_post: Message.optional(),
  edited_message: Message.optional(),
  edited_channel_post: Message.optional(),
  callback_query: CallbackQuery.optional(),
})
export type Update = z.infer<typeof Update>

/** What is asked for; nothing else is told. */
export const updateKinds = [
  'message',
  'channel_post',
  'edited_message',
  'edited_channel_post',
  'callback_query',
] as const

/** Each is read by itself, so that one that does not fit loses no other. */
export const Updates = z.array(z.looseObject({ update_id: z.int() }))
export type Updates = z.infer<typeof Updates>

export const Me = User

export const SentMessage = z.object({ message_id: z.int() })

export const FileInfo = z.object({ file_path: z.string(), file_size: z.int().min(0).optional() })
