/** Lists, makes and deletes branches. Refuses to delete the one that is checked out. */
import { z } from 'zod'
import { clipped } from '../code/clip.ts'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, fromHistory, type GitPlan, gitEffect, runGit } from './command.ts'
import { branchName, commitName } from './names.ts'
import { moveRef } from './ref.ts'
import { type EffectsFailure, openRepository, type Repository } from './repository.ts'

interface BranchRequest {
  readonly action: 'list' | 'create' | 'delete'
  readonly name: string | null
  readonly start: string
}

export const gitBranch = defineTool({
  name: 'git_branch',
  version: '2',
  description: 'List, create or delete branches of a git repository. Creating does not check out.',
  input: z
    .strictObject({
      action: z.enum(['list', 'create', 'delete']).default('list'),
      name: branchName.nullable().default(null),
      start: commitName.default('HEAD'),
      path: pathText.default('.'),
    })
    .refine(({ action, name }) => (action === 'list') === (name === null), {
      path: ['name'],
      message: 'goes with create and delete, not with list',
    }),
  category: 'git',
  group: 'git',
  tags: ['git', 'branch', 'branches', 'new branch', 'delete branch', 'feature', 'version control', 'repo'],
  effect: 'idempotent',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_restore_branch',
  describe: ({ action, name, path }) =>
    name === null ? `List the branches of ${path}` : `${verbs[action]} the branch ${name}`,
  preview: ({ action, name, start, path }) => ({
    kind: 'text',
    title: 'git branch',
    text: [
      `${action} ${name ?? ''}`.trim(),
      `in ${path}`,
      ...(action === 'create' ? [`at ${start}`] : []),
    ].join('\n'),
  }),
  effects: ({ path, ...wish }, inspect) => foundGit(path, inspect, (repository) => planOf(repository, wish)),
  async run({ path, ...wish }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const { action, name } = wish
    if (name === null) {
      const outcome = await runGit(opened, listWords, capabilities, signal)
      if (outcome.kind === 'failed') return fromHistory(path, capabilities, failed(outcome.reason))
      const text = clipped(outcome.text.trimEnd(), outcome.truncated)
      const told = succeeded(text || 'There are no branches yet.', `Listed the branches of ${path}`)
      return fromHistory(path, capabilities, told)
    }
    const before = await opened.repository.tip(refOf(name))
    if (before.kind !== 'tip') return failed(before.reason)
    if (action === 'delete') {
      if (before.id === null) return failed(`There is no branch ${name}.`)
      const outcome = await runGit(opened, moveRef(refOf(name), before.id, null), capabilities, signal)
      if (outcome.kind === 'failed') return failed(outcome.reason)
      const summary = `Deleted the branch ${name} (it stood at ${before.id})`
      return succeeded(summary, summary, {
        tool: 'git_restore_branch',
        args: { path, name, from: null, to: before.id },
      })
    }
    const outcome = await runGit(opened, createWords(name, wish.start), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const made = await runGit(opened, tipWords(name), capabilities, signal)
    if (made.kind === 'failed') return failed(made.reason)
    const summary = `Created the branch ${name}`
    return succeeded(summary, summary, {
      tool: 'git_restore_branch',
      args: { path, name, from: made.text.trim(), to: null },
    })
  },
})

const verbs = { list: 'List', create: 'Create', delete: 'Delete' }
const refOf = (name: string) => `refs/heads/${name}`
const listWords = ['branch', '--list', '--all', '--verbose', '--no-color', '--no-column']
const createWords = (name: string, start: string) => ['branch', '--no-track', name, start]
const tipWords = (name: string) => ['rev-parse', '--verify', '--quiet', refOf(name)]

async function planOf(
  repository: Repository,
  { action, name, start }: BranchRequest,
): Promise<GitPlan | EffectsFailure> {
  const { location, head, tip } = repository
  if (name === null) return { commands: [listWords], effects: [gitEffect('list', location.path)] }
  const before = await tip(refOf(name))
  if (before.kind !== 'tip') return before
  if (action === 'create') {
    if (before.id !== null) return { kind: 'invalid', reason: `There is a branch ${name} already.` }
    return {
      commands: [createWords(name, start), tipWords(name)],
      effects: [gitEffect('write', `the branch ${name} of ${location.path}`)],
    }
  }
  if (before.id === null) return { kind: 'invalid', reason: `There is no branch ${name}.` }
  if (head.kind === 'branch' && head.name === name)
    return { kind: 'invalid', reason: `${name} is checked out. Check out another branch first.` }
  return {
    commands: [moveRef(refOf(name), before.id, null)],
    effects: [gitEffect('delete', `the branch ${name} of ${location.path}`)],
  }
}
