/** Writes a conversation as TinyLlama was taught to read it. It was taught no tools, so nothing is said of any. */

export interface ChatMessage {
  readonly role: string
  readonly content: string
}

export function promptOf(messages: readonly ChatMessage[]): string {
  const said = messages.map(({ role, content }) => `<|${roleOf(role)}|>\n${content}</s>\n`)
  return `${said.join('')}<|assistant|>\n`
}

function roleOf(role: string): string {
  return role === 'system' || role === 'assistant' ? role : 'user'
}
