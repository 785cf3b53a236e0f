/** Owns what a program changed over a view as people and policy see it: the list, its effects, its words. Pure. */
import { type Effect, forDisplay } from '@countersign/contract'
import { sizeOf } from '../result.ts'
import { changeEffect, toldEffects } from './file-effects.ts'
import type { HeldFile, HeldSet } from './held-set.ts'

/** An undo is promised for no more than this. More than can be looked at is not judged by what can. */
export const mostUndoneBytes = 64 * 1024 * 1024

export function heldEffects(held: HeldSet): Effect[] {
  const reversible = held.more === 0 && held.bytes <= mostUndoneBytes
  return toldEffects(
    held.files.flatMap((file) => effectsOf(file, reversible)),
    held.files.length + held.more,
  )
}

/** What becomes something of another kind is gone as what it was. */
function effectsOf(file: HeldFile, reversible: boolean): Effect[] {
  const effect = effectOf(file, reversible)
  return file.change === 'replaced' ? [{ ...effect, verb: 'delete' }, effect] : [effect]
}

function effectOf(file: HeldFile, reversible: boolean): Effect {
  const verb = file.change === 'removed' ? 'delete' : 'write'
  // A link can bring a whole folder along.
  const isNew = file.kind === 'folder' && file.change === 'made'
  const thing = file.kind === 'file' ? 'file' : isNew ? 'new-folder' : 'moved-folder'
  const effect = changeEffect(verb, { inspection: file }, reversible, thing)
  if (file.target !== null && (file.leadsOut || mayLeadOut(file.path, file.target)))
    return { ...effect, object: `${file.path} (leads out of the workspace)`, scope: 'boundary' }
  if (file.runs && effect.scope === 'inside')
    return { ...effect, object: `${file.path} (can be run as a program)`, scope: 'host-run' }
  if (file.mode !== null && opens(file.mode) && effect.scope === 'inside')
    return { ...effect, object: `${file.path} (${modeWords(file.mode)})`, scope: 'opened' }
  return effect
}

/** Steps upwards count only at the beginning: after a name they depend on where that name leads. */
function mayLeadOut(path: string, target: string): boolean {
  const steps = target.split('/').filter((step) => step !== '' && step !== '.')
  const up = steps.findIndex((step) => step !== '..')
  const rest = up === -1 ? [] : steps.slice(up)
  const upwards = up === -1 ? steps.length : up
  return target.startsWith('/') || rest.includes('..') || upwards > path.split('/').length - 1
}

/** Its group or everybody may do more with it than before. */
export function opens(mode: HeldFile['mode']): boolean {
  return mode !== null && (mode.after & ~mode.before & 0o077) !== 0
}

function modeWords(mode: NonNullable<HeldFile['mode']>): string {
  const octal = (bits: number) => bits.toString(8).padStart(3, '0')
  const words = `mode ${octal(mode.before)} becomes ${octal(mode.after)}`
  return opens(mode) ? `${words}, opens it to other users` : words
}

export function headlineOf({ files, more }: HeldSet): string {
  const count = (change: HeldFile['change']) => files.filter((file) => file.change === change).length
  const parts = (['made', 'changed', 'replaced', 'removed'] as const).flatMap((change) =>
    count(change) > 0 ? [`${change} ${count(change)}`] : [],
  )
  const [only] = files
  if (only && files.length === 1 && more === 0) return `Keep what a program did: ${only.change} ${only.path}`
  return `Keep what a program did: ${[...parts, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`
}

export function wordsOf(held: HeldSet): string {
  const lines = held.files.map((file) => {
    const about = [
      ...(file.kind === 'file' ? [] : [file.kind]),
      ...(file.kind === 'file' && file.change !== 'removed' ? [sizeOf(file.size)] : []),
      ...(file.runs ? ['can be run as a program'] : []),
      ...(file.mode === null ? [] : [modeWords(file.mode)]),
      ...(file.target === null ? [] : [`leads to ${forDisplay(file.target).text}`]),
    ]
    // A name with a line of its own would be read as another entry.
    const line = `${file.change} ${forDisplay(file.path).text}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
    const isShown = file.text !== null && file.text !== ''
    return isShown ? `${line}\n${indented(file.text ?? '')}` : line
  })
  const more = held.more > 0 ? [`and ${held.more} more, which are not shown`] : []
  return [...lines, ...more].join('\n')
}

const indented = (text: string) =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
