import type { ToolDefinition } from '../definition.ts'
import { listChats } from './list-chats.ts'
import { sendChatMessage } from './send-chat-message.ts'

export const chatTools: readonly ToolDefinition[] = [listChats, sendChatMessage]
