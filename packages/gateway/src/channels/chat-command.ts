/** Owns how a line of a chat is read: a command, a decision, or words for the assistant. A model never sees the first two. Pure. */
import { parseSlash, type SlashCommand } from '@countersign/contract'

export type ChatLine =
  | { readonly kind: 'words' }
  | { readonly kind: 'approve'; readonly code: string }
  | { readonly kind: 'deny'; readonly code: string; readonly reason: string }
  | { readonly kind: 'command'; readonly command: SlashCommand }

/** As a card asks for it. Anything around it makes it ordinary words. */
const decision = /^(approve|deny)\s+([a-z0-9]{4,6})(?:\s+(.{0,500}))?$/i

export function readChatLine(text: string): ChatLine {
  const line = text.trim()
  const [, verb = '', code = '', reason = ''] = decision.exec(line) ?? []
  if (verb.toLowerCase() === 'approve' && reason === '') return { kind: 'approve', code: code.toUpperCase() }
  if (verb.toLowerCase() === 'deny') return { kind: 'deny', code: code.toUpperCase(), reason }
  const command = parseSlash(line)
  if (!command) return { kind: 'words' }
  if (command.kind === 'approve') return { kind: 'approve', code: command.code.toUpperCase() }
  if (command.kind === 'deny')
    return { kind: 'deny', code: command.code.toUpperCase(), reason: command.reason.slice(0, 500) }
  return { kind: 'command', command }
}
