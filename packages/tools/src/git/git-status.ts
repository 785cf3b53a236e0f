/** Shows what has changed in a repository of the workspace. Runs nothing that the repository names. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, gitEffect, runGit } from './command.ts'
import { openRepository } from './repository.ts'

export const gitStatus = defineTool({
  name: 'git_status',
  version: '1',
  description: 'Show the branch and the changed files of a git repository in the workspace.',
  input: z.strictObject({ path: pathText.default('.') }),
  category: 'git',
  group: 'git',
  tags: [
    'git',
    'status',
    'changes',
    'changed',
    'modified',
    'staged',
    'uncommitted',
    'untracked',
    'branch',
    'which branch',
    'version control',
    'repo',
    'unsaved',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'read-only',
  egress: 'none',
  describe: ({ path }) => `Show the git status of ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'git status', text: path }),
  effects: ({ path }, inspect) =>
    foundGit(path, inspect, async ({ location }) => ({
      commands: [words],
      effects: [gitEffect('read', location.path)],
    })),
  async run({ path }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const outcome = await runGit(opened, words, capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const changed = outcome.text.trimEnd().split('\n').length - 1
    const text = `${outcome.text.trimEnd()}${changed === 0 ? '\n(nothing has changed)' : ''}`
    return succeeded(text, `git status of ${path}: ${changed} changed`)
  },
})

const words = ['status', '--short', '--branch', '--untracked-files=normal', '--ignore-submodules=all', '--']
