/** Owns the shape of one line of a conversation as it is summarised and searched. */
export interface ConversationLine {
  /** The place of the message that it belongs to. */
  readonly position: number
  readonly by: 'user' | 'agent' | 'tool'
  readonly text: string
}
