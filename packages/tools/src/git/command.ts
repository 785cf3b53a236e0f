/**
 * Owns how git is started: with fixed words, on one repository, and with everything switched off that would make it
 * run another program. What cannot be switched off makes the command one that cannot be inspected.
 *
 * In the sandbox there is no home and no network, so the only settings are those of the repository. A filter of it
 * runs on `add` and `checkout`, because leaving it out would store other content than the owner meant; such a call
 * is shown as running programs. A command that only looks goes without filters.
 */
import type { Effect, ExecResource, ToolResult } from '@countersign/contract'
import type { ToolCapabilities } from '../capabilities.ts'
import { changedText } from '../code/program.ts'
import type { EffectsResult } from '../definition.ts'
import type { FileLocation, Inspector } from '../inspector.ts'
import { type EffectsFailure, locationIn, type Repository, seeRepository } from './repository.ts'

export interface GitCall {
  readonly repository: Repository
  /** Content goes through the repository's filters on the way. */
  readonly filtered?: boolean
  /** Files of the repository that the call itself may have changed already. */
  readonly unsealed?: readonly FileLocation[]
}

/** What a call touches: the repository's state, and the commands that may be run. */
export async function foundGit(
  path: string,
  inspect: Inspector,
  plan: (repository: Repository) => Promise<GitPlan | EffectsFailure>,
): Promise<EffectsResult> {
  const git = await inspect.program('git')
  if (!git)
    return { kind: 'unavailable', reason: 'There is no git on this host.', fix: 'apt-get install git' }
  const seen = await seeRepository(path, inspect)
  if (seen.kind !== 'repository') return seen
  const { repository, resources } = seen
  const planned = await plan(repository)
  if (!('commands' in planned)) return planned
  const { commands, effects, filtered = false } = planned
  const reason = programsOf({ repository, filtered })
  const execs = commands.map(
    (words): ExecResource => ({
      type: 'exec',
      ...git,
      argv: gitArgv({ repository, filtered }, words),
      cwd: repository.location.path,
      environment: inspect.environment,
      uninspectable: reason !== null,
      view: null,
    }),
  )
  return {
    kind: 'found',
    resources: [...execs, ...resources],
    effects: reason === null ? effects : [...effects, runsPrograms(repository, reason)],
  }
}

export interface GitPlan {
  readonly commands: readonly (readonly string[])[]
  readonly effects: readonly Effect[]
  readonly filtered?: boolean
}

export type GitOutcome =
  | { readonly kind: 'ok'; readonly text: string; readonly truncated: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export async function runGit(
  call: GitCall,
  words: readonly string[],
  capabilities: ToolCapabilities,
  signal: AbortSignal,
): Promise<GitOutcome> {
  const outcome = await capabilities.shell.run({
    argv: gitArgv(call, words),
    cwd: call.repository.location.path,
    timeoutMs: longestRun,
    signal,
    unsealed: call.unsealed ?? [],
    written: ['.git/HEAD', '.git/config'].map((name) => locationIn(call.repository.location, name)),
  })
  if (outcome.kind === 'failed') return outcome
  const { end, stdout, stderr, truncated } = outcome
  if (end.kind === 'changed') return { kind: 'failed', reason: `git ran, but ${changedText(end.paths)}.` }
  if (end.kind === 'too-much') return { kind: 'failed', reason: `git ran, but nothing was kept: ${end.why}.` }
  if (end.kind === 'killed')
    return { kind: 'failed', reason: end.why === 'timeout' ? 'git took too long.' : 'Cancelled.' }
  if (end.code === 0) return { kind: 'ok', text: stdout, truncated }
  const said = (stderr.trim() || stdout.trim()).slice(0, 4_000)
  return { kind: 'failed', reason: said || `git ended with ${end.code}.` }
}

/**
 * The result, with the note that it tells what the history holds. Anybody can write any name into a commit, so it is
 * the operator who says whose history it is.
 */
export function fromHistory(path: string, capabilities: ToolCapabilities, result: ToolResult): ToolResult {
  const location = capabilities.files.locate(path)
  if (location.root === 'nowhere') return result
  return { ...result, files: { found: [locationIn(location, '.git').path], changed: null } }
}

export function gitEffect(verb: Effect['verb'], object: string, reversible = true): Effect {
  return { verb, object, scope: 'inside', reversible, outward: false, leaves: [] }
}

const longestRun = 30_000

/** Every setting through which a repository could name a program, and every way to the network. */
const quiet = [
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=true',
  'sequence.editor=true',
  'core.askPass=true',
  'core.sshCommand=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'core.quotePath=false',
  'color.ui=false',
  'protocol.allow=never',
  ...['ext', 'fd', 'file', 'ftp', 'ftps', 'git', 'http', 'https', 'ssh'].map(
    (name) => `protocol.${name}.allow=never`,
  ),
]

function gitArgv({ repository, filtered = false }: GitCall, words: readonly string[]): string[] {
  const unfiltered = filtered
    ? []
    : repository.config.filters.flatMap((name) => [
        `filter.${name}.clean=`,
        `filter.${name}.smudge=`,
        `filter.${name}.process=`,
        `filter.${name}.required=false`,
      ])
  return [
    'git',
    '--no-pager',
    '--no-optional-locks',
    '--literal-pathspecs',
    '--git-dir=.git',
    '--work-tree=.',
    ...[...quiet, ...unfiltered].flatMap((setting) => ['-c', setting]),
    ...words,
  ]
}

function programsOf({ repository: { config }, filtered }: GitCall): string | null {
  if (config.runs !== null) return config.runs
  const [name] = config.filters
  return filtered && name !== undefined ? `the filter ${name}` : null
}

function runsPrograms({ location }: Repository, reason: string): Effect {
  return gitEffect('execute', `programs that ${location.path}/.git/config may name: ${reason}`, false)
}
