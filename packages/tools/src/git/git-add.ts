/** Stages files, and says how to put the index back. Refuses paths outside the repository. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, gitEffect, runGit } from './command.ts'
import { openRepository } from './repository.ts'

export const gitAdd = defineTool({
  name: 'git_add',
  version: '1',
  description: 'Stage files of a git repository for the next commit. Use ["."] for all.',
  input: z.strictObject({
    files: z.array(pathText).min(1).max(200),
    path: pathText.default('.'),
  }),
  category: 'git',
  group: 'git',
  tags: ['git', 'add', 'stage', 'index', 'version control', 'repo'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_restore_index',
  describe: ({ files }) => `Stage ${files.length === 1 ? files[0] : `${files.length} files`}`,
  preview: ({ path, files }) => ({
    kind: 'text',
    title: 'git add',
    text: [`in ${path}`, ...files].join('\n'),
  }),
  effects: ({ path, files }, inspect) =>
    foundGit(path, inspect, async ({ location }) => ({
      commands: [writeTree, ['add', '--', ...files]],
      effects: [gitEffect('write', `the index of ${location.path}`)],
      filtered: true,
    })),
  async run({ path, files }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const call = { ...opened, filtered: true }
    const before = await runGit(call, writeTree, capabilities, signal)
    if (before.kind === 'failed') return failed(`The index cannot be kept for an undo: ${before.reason}`)
    const outcome = await runGit(call, ['add', '--', ...files], capabilities, signal)
    const after = await runGit(call, writeTree, capabilities, signal)
    const [from, to] = [after, before].map((tree) => (tree.kind === 'ok' ? tree.text.trim() : null))
    const undo =
      from && to && from !== to ? { tool: 'git_restore_index', args: { path, from, to } } : undefined
    // Git may have staged some of the files before it failed at one.
    if (outcome.kind === 'failed') return { ...succeeded(outcome.reason, outcome.reason, undo), ok: false }
    const summary = undo ? `Staged ${files.join(', ')}` : 'Nothing was left to stage.'
    return succeeded(summary, summary, undo)
  },
})

const writeTree = ['write-tree']
