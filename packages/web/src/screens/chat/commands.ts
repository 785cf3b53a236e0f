/** Owns what a line that begins with a slash means. It never reaches a model. Pure. */
import { words } from '../../words/chat.tsx'

export type SlashCommand =
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'help' | 'pending' | 'undo' }
  | { readonly kind: 'unknown'; readonly name: string }

export const slashHelp = [
  ['/pause', words.commands.pause],
  ['/resume', words.commands.resume],
  ['/stop', words.commands.stop],
  ['/undo', words.commands.undo],
  ['/pending', words.commands.pending],
  ['/help', words.commands.help],
] as const

/** Null for an ordinary message. */
export function commandIn(text: string): SlashCommand | null {
  const name = /^\/(\S+)/.exec(text.trim())?.[1]
  if (name === undefined) return null
  const known = ['pause', 'resume', 'stop', 'help', 'pending', 'undo'] as const
  const kind = known.find((each) => each === name)
  return kind === undefined ? { kind: 'unknown', name } : { kind }
}
