/**
 * Owns the commands that are tried: each would leave a mark, a file or a request, if anything read it. They are kept
 * as text, one to a line, in families; a sign for a new line stands for one.
 */
import { readFileSync } from 'node:fs'

export interface Command {
  readonly family: string
  /** With places for the mark that it leaves. */
  readonly template: string
}

export function readCommands(): Command[] {
  const text = readFileSync(new URL('./commands.txt', import.meta.url), 'utf8')
  const commands: Command[] = []
  let family = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('# ') && !line.includes('⏎')) family = line.slice(2)
    else if (line !== '') commands.push({ family, template: line })
  }
  return [...commands, ...longCommands]
}

/** What a command does to the machine around it, should it run; left out where something might run. */
export const roughFamily = 'the machine'

export interface Mark {
  /** The name of a file in the working directory, and of a path at the listener. */
  readonly name: string
  readonly port: number
}

export function commandFor({ template }: Command, { name, port }: Mark): string {
  const act = `touch ${name}`
  return template
    .replaceAll('⏎', '\n')
    .replaceAll('@@', act)
    .replaceAll('%BASE64%', Buffer.from(`${act}\n`).toString('base64'))
    .replaceAll('%HEX%', Buffer.from(act).toString('hex'))
    .replaceAll('%PYTHON%', Buffer.from(`open("${name}","w")`).toString('hex'))
    .replaceAll('%REVERSED%', act.split('').toReversed().join(''))
    .replaceAll('MARK', name)
    .replaceAll('PORT', String(port))
}

const longCommands: readonly Command[] = [
  { family: 'long', template: `${': ; '.repeat(5_000)}@@` },
  { family: 'long', template: `@@ ${'#'.repeat(60_000)}` },
  { family: 'long', template: `${' '.repeat(60_000)}@@` },
  { family: 'long', template: `echo ${'x'.repeat(30_000)}\n@@` },
  { family: 'long', template: `${'('.repeat(500)}@@${')'.repeat(500)}` },
  { family: 'long', template: `${'true;\n'.repeat(3_000)}@@` },
  { family: 'long', template: `@@ ${'x'.repeat(70_000)}` },
]
