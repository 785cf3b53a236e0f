/** Owns whether a real path is in the table of what host programs run. Pure; reads no file. */
import { type HostRun, hostRun, plainHidden } from './host-run.ts'

/**
 * `new-folder` is empty, so only what is in it later can count. A `moved-folder` brings along what is in it, so it
 * counts where it is the upper part of a pattern, too.
 */
export type NamedThing = 'file' | 'new-folder' | 'moved-folder'

/** The strictest entry that the path is in. */
export function hostRunOf(path: string, kind: NamedThing = 'file'): HostRun | undefined {
  const names = path
    .split(/[/\\]/)
    .map(folded)
    .filter((name) => !plainHidden.includes(name))
  return compiled.find(({ patterns }) => patterns.some((pattern) => fits(names, pattern, kind)))?.entry
}

/**
 * A name as the most forgiving file system would read it: without case, without characters that nobody sees, without
 * what Windows drops at the end, and in one Unicode form. The workspace may be copied to such a file system.
 */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .toUpperCase()
    .toLowerCase()
}

interface PathPattern {
  readonly names: readonly RegExp[]
  /** The folder and all that is in it. */
  readonly whole: boolean
}

const compiled = ['by-itself', 'when-started'].flatMap((runs) =>
  hostRun
    .filter((entry) => entry.runs === runs)
    .map((entry) => ({ entry, patterns: entry.paths.map(patternOf) })),
)

function patternOf(text: string): PathPattern {
  const whole = text.endsWith('/**')
  const names = (whole ? text.slice(0, -3) : text).split('/')
  return { whole, names: names.map(nameOf) }
}

function nameOf(glob: string): RegExp {
  const text = glob
    .toLowerCase()
    .replaceAll(/[.+^$(){}|\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
  return new RegExp(`^${text}$`, 'su')
}

function fits(names: readonly string[], { names: wanted, whole }: PathPattern, kind: NamedThing): boolean {
  if (kind === 'new-folder' && !whole) return false
  return names.some((_, start) => {
    const rest = names.length - start
    if (rest > wanted.length && !whole) return false
    if (rest < wanted.length && kind !== 'moved-folder') return false
    return wanted.slice(0, rest).every((name, index) => name.test(names[start + index] ?? ''))
  })
}
