/**
 * Checks out a branch or a commit, or restores files from one. A switch needs files without changes, so that going
 * back finds all as it was; restoring files throws their changes away, and says so.
 */
import type { ToolResult } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { Hands } from '../hands.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, fromHistory, gitEffect, runGit } from './command.ts'
import { commitName } from './names.ts'
import { openRepository } from './repository.ts'

export const gitCheckout = defineTool({
  name: 'git_checkout',
  version: '2',
  description:
    'Switch a git repository to a branch or commit, or with files restore those from it, losing their changes.',
  input: z.strictObject({
    target: commitName,
    files: z.array(pathText).max(200).default([]),
    path: pathText.default('.'),
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
  preview: ({ path, target, files }) => ({
    kind: 'text',
    title: 'git checkout',
    text: [`${target} in ${path}`, ...files].join('\n'),
  }),
  effects: ({ path, target, files }, look) =>
    foundGit(path, look, async ({ place, head, tip }) => {
      if (files.length > 0) {
        return {
          commands: [restoreWords(target, files)],
          effects: files.map((file) => gitEffect('write', `${place.path}/${file}`, false)),
          filtered: true,
        }
      }
      const former = head.kind === 'branch' ? await tip(head.ref) : null
      if (former && former.kind !== 'tip') return former
      if (former?.id === null)
        return { kind: 'invalid', reason: `${path} has no commit yet. Commit something first.` }
      return {
        commands: [cleanWords, switchWords(target)],
        effects: [gitEffect('write', `the files of ${place.path}`)],
        filtered: true,
      }
    }),
  run: async (args, hands, signal) => fromHistory(args.path, hands, await checkOut(args, hands, signal)),
})

interface Wish {
  readonly path: string
  readonly target: string
  readonly files: readonly string[]
}

async function checkOut(
  { path, target, files }: Wish,
  hands: Hands,
  signal: AbortSignal,
): Promise<ToolResult> {
  const opened = await openRepository(path, hands)
  if (opened.kind === 'failed') return failed(opened.reason)
  const call = { ...opened, filtered: true }
  const { head } = opened.repository
  if (files.length > 0) {
    const outcome = await runGit(call, restoreWords(target, files), hands, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    return succeeded(`Restored ${files.join(', ')}`, `Restored ${files.length} files from ${target}`)
  }
  const clean = await runGit(call, cleanWords, hands, signal)
  if (clean.kind === 'failed') return failed(clean.reason)
  if (clean.text.trim() !== '')
    return failed(`These have changes that are not committed. Commit them first.\n${clean.text.trimEnd()}`)
  const outcome = await runGit(call, switchWords(target), hands, signal)
  if (outcome.kind === 'failed') return failed(outcome.reason)
  const former = head.kind === 'branch' ? head.name : head.id
  const back = commitName.safeParse(former).success && former !== target
  const undo = back ? { tool: 'git_checkout', args: { path, target: former } } : undefined
  return succeeded(`Checked out ${target}`, `Checked out ${target}`, undo)
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
