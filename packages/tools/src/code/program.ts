/** Owns what the tools that run programs share: the program as a resource, the effect, and the words of its end. */
import {
  canonicalText,
  changesTaker,
  type Effect,
  type ExecResource,
  type ProgramView,
  type ToolResult,
} from '@countersign/contract'
import type { CommandResult, Failure } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import { hiddenLine } from '../hidden-line.ts'
import type { FileLocation, Inspector } from '../inspector.ts'
import { failed, succeeded } from '../result.ts'
import { clipped } from './clip.ts'

/** How long a program runs that says nothing about time, and at most. */
export const usualRun = 60_000
export const longestRun = 600_000

/** Looks at the folder in which a program would run. */
export async function seeFolder(
  cwd: string,
  inspect: Inspector,
): Promise<{ kind: 'folder'; location: FileLocation } | Exclude<EffectsResult, { kind: 'found' }>> {
  const location = inspect.locate(cwd)
  if (location.root !== 'workspace')
    return { kind: 'invalid', reason: `The working directory ${cwd} is outside the workspace.` }
  const folder = await inspect.file(location)
  if (folder.kind === 'unavailable') return folder
  if (folder.kind !== 'directory')
    return { kind: 'invalid', reason: `The working directory ${cwd} does not exist.` }
  if (folder.path !== location.path) {
    const reason = `The working directory ${cwd} leads through a symbolic link. It really is ${folder.path}: use that.`
    return { kind: 'invalid', reason }
  }
  return { kind: 'folder', location }
}

/** What code that an interpreter reads would touch: anything in the workspace, so it cannot be listed. */
export async function foundInterpreter(
  wish: {
    argv: readonly string[]
    cwd: string
    object: string
    fix: string
    viewIn: (cwd: string) => ProgramView
  },
  inspect: Inspector,
): Promise<EffectsResult> {
  const folder = await seeFolder(wish.cwd, inspect)
  if (folder.kind !== 'folder') return folder
  const [name = ''] = wish.argv
  const program = await inspect.program(name)
  if (!program) return { kind: 'unavailable', reason: `There is no ${name} in the sandbox.`, fix: wish.fix }
  return {
    kind: 'found',
    resources: [
      viewedProgram(program, wish.argv, folder.location.path, inspect, wish.viewIn(folder.location.path)),
    ],
    effects: [programEffect(wish.object, inspect)],
  }
}

export function execResource(
  program: { path: string; content: string },
  argv: readonly string[],
  cwd: string,
  inspect: Inspector,
  uninspectable: boolean,
): ExecResource {
  return {
    type: 'exec',
    ...program,
    argv: [...argv],
    cwd,
    environment: inspect.environment,
    uninspectable,
    view: null,
  }
}

/** A program that reads anything it likes. Where there is a view, what it changes is held. */
export function viewedProgram(
  program: { path: string; content: string },
  argv: readonly string[],
  cwd: string,
  inspect: Inspector,
  view: ProgramView,
): ExecResource {
  return { ...execResource(program, argv, cwd, inspect, true), view: inspect.view ? view : null }
}

/** Over a view, a program only looks: what it changes counts when it is taken over. */
export function programEffect(object: string, inspect: Inspector): Effect {
  return inspect.view
    ? { verb: 'read', object: `the workspace, by ${object}`, ...inside }
    : executeEffect(object)
}

const inside = { scope: 'inside', reversible: true, outward: false, leaves: [] } satisfies Partial<Effect>

export function executeEffect(object: string): Effect {
  return { verb: 'execute', object, scope: 'inside', reversible: false, outward: false, leaves: [] }
}

export function resultOf(outcome: CommandResult | Failure, what: string, timeoutMs: number): ToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason)
  const end = `${endOf(outcome, timeoutMs)}, ${outcome.durationMs} ms`
  const said = [outcome.stdout, outcome.stderr && `[stderr]\n${outcome.stderr}`]
  const text = clipped(said.filter((part) => part !== '').join('\n'), outcome.truncated)
  const isDone = outcome.end.kind === 'exited' && outcome.end.code === 0
  const whole = [text, hiddenLine(outcome.hidden, 'program', !isDone), `[${end}]`]
    .filter((part) => part !== '')
    .join('\n')
  const undo = outcome.kept === null ? undefined : { tool: 'restore_workspace', args: { kept: outcome.kept } }
  const next =
    outcome.held === null ? {} : { next: { tool: changesTaker, args: canonicalText(outcome.held) } }
  if (isDone) return { ...succeeded(whole, `Ran: ${what}`, undo), ...next }
  // What it changed before it failed can be kept and taken back as well.
  return { ...succeeded(whole, `${what}: ${end}`, undo), ok: false, ...next }
}

/** For a command whose changes were thrown away. */
export function changedText(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return `nothing that it wrote was kept: ${paths.slice(0, 5).join(', ')}${more} changed while it ran. Look at that and run it again`
}

function endOf({ end }: CommandResult, timeoutMs: number): string {
  if (end.kind === 'exited') return `exit ${end.code}`
  if (end.kind === 'changed') return changedText(end.paths)
  if (end.kind === 'too-much') return `nothing that it wrote was kept: ${end.why}`
  return end.why === 'timeout' ? `stopped after ${timeoutMs} ms` : 'cancelled'
}
