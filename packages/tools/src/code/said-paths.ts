/**
 * Owns which paths of the workspace the words of a program name. A path is named when it stands there whole: as a word
 * of a command, as the value of a setting in it, or as a text in quotes. What a shell or a program would have to work
 * out first, such as a pattern or a variable, names nothing.
 */
import type { FileLocation, Inspector } from '../inspector.ts'
import { commandWords, shellTokens } from './words.ts'

const most = 64
const longest = 512
/** Signs by which a shell makes other words of a word, and those that stand in no path of anybody's. */
const unsettled = /[*?[\]{}$`\\<>|;&()\n\r\0]/
const quoted = /'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g

export function saidInCommand(command: string, cwd: string, inspect: Pick<Inspector, 'locate'>): string[] {
  // The name of a program is found among the system's, unless it is a path.
  const programs = new Set(commandWords(command).programs.filter((word) => !word.includes('/')))
  const tokens = [...shellTokens(command)].filter((token) => !programs.has(token))
  const words = tokens.flatMap((token) => [
    token,
    ...quotedIn(token),
    // A command that is handed on in quotes has words of its own.
    ...(/\s/.test(token) ? [...shellTokens(token)] : []),
  ])
  return pathsOf(
    words.flatMap((word) => [word, ...valueOf(word)]),
    cwd,
    inspect,
  )
}

/** Of a program that no shell reads: every word is one argument. */
export function saidInArguments(
  args: readonly string[],
  cwd: string,
  inspect: Pick<Inspector, 'locate'>,
): string[] {
  return pathsOf(
    args.flatMap((word) => [word, ...valueOf(word)]),
    cwd,
    inspect,
  )
}

export function saidInCode(code: string, cwd: string, inspect: Pick<Inspector, 'locate'>): string[] {
  return pathsOf(quotedIn(code), cwd, inspect)
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(quoted)].map(([, one, two, three]) => one ?? two ?? three ?? '')
}

/** Of `NAME=value` and `--name=value`. */
function valueOf(word: string): string[] {
  const found = /^[\w-]+=(.+)$/s.exec(word)
  return found?.[1] === undefined ? [] : [found[1]]
}

function pathsOf(words: readonly string[], cwd: string, inspect: Pick<Inspector, 'locate'>): string[] {
  const paths = new Set<string>()
  for (const word of words) {
    if (word === '' || word.length > longest || word.startsWith('-') || unsettled.test(word)) continue
    // The folder that it works in and those around it are said by no name.
    if (/^[./]*$/.test(word)) continue
    const path = word.replace(/\/+$/, '')
    const location = inspect.locate(absolute(path) ?? `${cwd}/${path}`)
    if (isInside(location)) paths.add(location.path)
    if (paths.size === most) break
  }
  return [...paths].toSorted()
}

/** In the sandbox the workspace has a name of its own. */
const inSandbox = '/workspace/'

function absolute(word: string): string | undefined {
  if (word.startsWith(inSandbox)) return `./${word.slice(inSandbox.length)}`
  return word.startsWith('/') || word.startsWith('~') ? word : undefined
}

function isInside(location: ReturnType<Inspector['locate']>): location is FileLocation {
  return location.root === 'workspace' && location.path !== '.'
}
