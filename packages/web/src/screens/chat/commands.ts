/** Owns what a line that begins with a slash means. It never reaches a model. Pure. */

export type SlashCommand =
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'help' | 'pending' | 'undo' }
  | { readonly kind: 'unknown'; readonly name: string }

export const slashHelp = [
  ['/pause', 'pause everything'],
  ['/resume', 'go on after a pause'],
  ['/stop', 'stop this run'],
  ['/undo', 'see what of this run can be undone'],
  ['/pending', 'open the approvals'],
  ['/help', 'show these'],
] as const

/** Null for an ordinary message. */
export function commandIn(text: string): SlashCommand | null {
  const name = /^\/(\S+)/.exec(text.trim())?.[1]
  if (name === undefined) return null
  const known = ['pause', 'resume', 'stop', 'help', 'pending', 'undo'] as const
  const kind = known.find((each) => each === name)
  return kind === undefined ? { kind: 'unknown', name } : { kind }
}
