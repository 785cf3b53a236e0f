/**
 * Checks out a branch or a commit, or restores files from one. A switch needs files without changes, so that going
 * back finds all as it was; restoring files throws their changes away, and says so.
 */
import type { ToolResult } from '@countersign/contract'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { hostRunOf } from '../files/host-run-match.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, fromHistory, type GitOutcome, gitEffect, runGit } from './command.ts'
import { branchName, commitName } from './names.ts'
import { type EffectsFailure, openRepository, type Repository } from './repository.ts'

export const gitCheckout = defineTool({
  name: 'git_checkout',
  version: '4',
  description:
    'Switch a git repository to a branch or commit, or with files restore those from it, losing their changes. Set programs where it says that build files or settings come along.',
  input: z.strictObject({
    target: commitName,
    files: z.array(pathText).max(200).default([]),
    path: pathText.default('.'),
    programs: z.boolean().default(false),
  }),
  category: 'git',
  group: 'git',
  tags: [
    'git',
    'checkout',
    'switch',
    'switch branch',
    'main',
    'master',
    'branch',
    'restore',
    'revert',
    'discard',
    'go back',
    'version control',
    'repo',
  ],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_checkout',
  describe: ({ target, files }) =>
    files.length === 0 ? `Check out ${target}` : `Restore ${files.join(', ')} from ${target}`,
  preview: ({ path, target, files, programs }) => ({
    kind: 'text',
    title: 'git checkout',
    text: [`${target} in ${path}`, ...files, ...(programs ? [`With ${whatRuns}`] : [])].join('\n'),
  }),
  effects: ({ path, target, files, programs }, inspect) =>
    foundGit(path, inspect, async ({ location, head, tip }) => {
      if (files.length > 0) {
        return {
          commands: [restoreWords(target, files)],
          effects: files.map((file) => gitEffect('write', `${location.path}/${file}`, false)),
          filtered: true,
        }
      }
      const former = head.kind === 'branch' ? await tip(head.ref) : null
      if (former && former.kind !== 'tip') return former
      if (former?.id === null)
        return { kind: 'invalid', reason: `${path} has no commit yet. Commit something first.` }
      const wanted = await meant(target, tip)
      if (wanted.kind !== 'tip') return wanted
      const effect = gitEffect('write', `the files of ${location.path}`)
      return {
        commands: [cleanWords, changedWords(wanted.id), headWords, switchWords(target)],
        effects: [
          programs ? { ...effect, object: `${effect.object}, with ${whatRuns}`, scope: 'boundary' } : effect,
        ],
        filtered: true,
      }
    }),
  run: async (args, capabilities, signal) =>
    fromHistory(args.path, capabilities, await checkOut(args, capabilities, signal)),
})

interface CheckoutRequest {
  readonly path: string
  readonly target: string
  readonly files: readonly string[]
  readonly programs: boolean
}

async function checkOut(
  { path, target, files, programs }: CheckoutRequest,
  capabilities: ToolCapabilities,
  signal: AbortSignal,
): Promise<ToolResult> {
  const opened = await openRepository(path, capabilities)
  if (opened.kind === 'failed') return failed(opened.reason)
  const call = { ...opened, filtered: true }
  const { head, tip } = opened.repository
  if (files.length > 0) {
    const outcome = await runGit(call, restoreWords(target, files), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    return succeeded(`Restored ${files.join(', ')}`, `Restored ${files.length} files from ${target}`)
  }
  const clean = await runGit(call, cleanWords, capabilities, signal)
  if (clean.kind === 'failed') return failed(clean.reason)
  if (clean.text.trim() !== '')
    return failed(`These have changes that are not committed. Commit them first.\n${clean.text.trimEnd()}`)
  if (!programs) {
    const wanted = await meant(target, tip)
    if (wanted.kind !== 'tip') return failed(wanted.reason)
    const changed = await runGit(call, changedWords(wanted.id), capabilities, signal)
    if (changed.kind === 'failed') return failed(changed.reason)
    const heads = await runGit(call, headWords, capabilities, signal)
    if (heads.kind === 'failed') return failed(heads.reason)
    const running = runningIn(changed, heads)
    if (running !== null)
      return failed(`${running} Call it again with programs: true, and the operator is asked.`)
  }
  const outcome = await runGit(call, switchWords(target), capabilities, signal)
  if (outcome.kind === 'failed') return failed(outcome.reason)
  const former = head.kind === 'branch' ? head.name : head.id
  const back = commitName.safeParse(former).success && former !== target
  const undo = back ? { tool: 'git_checkout', args: { path, target: former, programs } } : undefined
  return succeeded(`Checked out ${target}`, `Checked out ${target}`, undo)
}

/**
 * What git checks out under a name. A branch comes first there, and last where git reads a name otherwise: `heads/main`
 * is then the branch main. So a branch is looked through by its commit, which the call binds.
 */
async function meant(
  target: string,
  tip: Repository['tip'],
): Promise<{ readonly kind: 'tip'; readonly id: string } | EffectsFailure> {
  if (!branchName.safeParse(target).success) return { kind: 'tip', id: target }
  const branch = await tip(`refs/heads/${target}`)
  return branch.kind === 'tip' ? { kind: 'tip', id: branch.id ?? target } : branch
}

const cleanWords = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=all', '--']
/** Without these, git overwrites files that it was told to ignore, and makes a branch out of a guess. */
const switchWords = (target: string) => [
  'checkout',
  '--quiet',
  '--no-guess',
  '--no-overwrite-ignore',
  '--no-recurse-submodules',
  target,
  '--',
]
const restoreWords = (target: string, files: readonly string[]) => [
  'checkout',
  '--quiet',
  '--no-recurse-submodules',
  target,
  '--',
  ...files,
]
/** Every path that differs, without guesses about renames. */
const changedWords = (commit: string) => [
  'diff-tree',
  '-r',
  '--no-renames',
  '--name-only',
  '-z',
  'HEAD',
  commit,
  '--',
]
/** A folder that holds HEAD may be a repository of its own; also one that git was told to ignore. */
const headWords = ['ls-files', '-z', '--cached', '--others', '--ignored', '--exclude=HEAD']

const whatRuns = 'files that programs on this machine run'

type GitSuccess = Extract<GitOutcome, { kind: 'ok' }>

/** Says what of the changed files programs on the host would run; null if nothing. */
function runningIn(changed: GitSuccess, heads: GitSuccess): string | null {
  if (changed.truncated || heads.truncated) return 'It changes too many files to look through.'
  const folders = pathsIn(heads).map((path) => path.slice(0, -'HEAD'.length))
  const running = pathsIn(changed).filter(
    (path) => hostRunOf(path) !== undefined || folders.some((folder) => path.startsWith(folder)),
  )
  if (running.length === 0) return null
  const named = running.slice(0, 5).join(', ')
  return `It changes ${whatRuns}: ${named}${running.length > 5 ? ` and ${running.length - 5} more` : ''}.`
}

const pathsIn = ({ text }: GitSuccess) => text.split('\0').filter((path) => path !== '')
