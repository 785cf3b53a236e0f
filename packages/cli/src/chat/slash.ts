/** Reads the commands of a conversation. A line that begins with a slash is never sent to the agent. */

export type SlashCommand =
  | { readonly kind: 'queue'; readonly text: string }
  | { readonly kind: 'approve'; readonly code: string }
  | { readonly kind: 'deny'; readonly code: string; readonly reason: string }
  | { readonly kind: 'why'; readonly ref: string }
  | { readonly kind: 'stop' | 'pause' | 'resume' | 'undo' | 'status' | 'pending' | 'help' | 'exit' }
  | { readonly kind: 'wrong'; readonly message: string }

export const slashHelp: readonly (readonly [string, string])[] = [
  ['/queue TEXT', 'send it behind the current run'],
  ['/stop', 'stop the run'],
  ['/undo', 'undo what the last run did'],
  ['/pause, /resume', 'pause and resume everything'],
  ['/pending', 'list pending approvals'],
  ['/approve CODE', 'approve it once'],
  ['/deny CODE REASON', 'deny it, with a reason for the agent'],
  ['/why REF', 'why something happened'],
  ['/status', 'show the state of the gateway'],
  ['/exit', 'leave; runs continue'],
]

const bare = ['stop', 'pause', 'resume', 'undo', 'status', 'pending', 'help', 'exit'] as const

/** Undefined when the line is no command. */
export function parseSlash(line: string): SlashCommand | undefined {
  const found = /^\/(\S*)\s*(.*)$/s.exec(line.trim())
  if (!found) return undefined
  const [, name = '', rest = ''] = found
  const simple = bare.find((each) => each === name)
  if (simple) return rest === '' ? { kind: simple } : wrong(`/${name} takes no argument.`)
  const [first = '', ...more] = rest.split(/\s+/)
  switch (name) {
    case 'queue':
      return rest === '' ? wrong('Give the message: /queue TEXT') : { kind: 'queue', text: rest }
    case 'approve':
      return first === '' || more.length > 0
        ? wrong('Give one code: /approve CODE')
        : { kind: 'approve', code: first }
    case 'deny':
      return first === ''
        ? wrong('Give the code: /deny CODE REASON')
        : { kind: 'deny', code: first, reason: more.join(' ') }
    case 'why':
      return rest === '' ? wrong('Give a code or an id: /why REF') : { kind: 'why', ref: rest }
    default:
      return wrong(`There is no /${name}. /help lists the commands.`)
  }
}

function wrong(message: string): SlashCommand {
  return { kind: 'wrong', message }
}
