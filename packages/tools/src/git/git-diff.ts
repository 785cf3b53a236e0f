/** Shows changes line by line. Runs no differ and no converter that the repository names. */
import { z } from 'zod'
import { clipped } from '../code/clip.ts'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, fromHistory, gitEffect, runGit } from './command.ts'
import { commitName } from './names.ts'
import { openRepository } from './repository.ts'

interface DiffRequest {
  readonly staged: boolean
  readonly from: string | null
  readonly to: string | null
  readonly files: readonly string[]
}

export const gitDiff = defineTool({
  name: 'git_diff',
  version: '2',
  description: 'Show changes of a git repository: of the files, of what is staged, or between two commits.',
  input: z
    .strictObject({
      path: pathText.default('.'),
      staged: z.boolean().default(false),
      from: commitName.nullable().default(null),
      to: commitName.nullable().default(null),
      files: z.array(pathText).max(100).default([]),
    })
    .refine(({ from, to }) => to === null || from !== null, { path: ['to'], message: 'needs from' })
    .refine(({ staged, to }) => !staged || to === null, { path: ['staged'], message: 'goes without to' }),
  category: 'git',
  group: 'git',
  tags: [
    'git',
    'diff',
    'changes',
    'what changed',
    'compare',
    'patch',
    'lines',
    'version control',
    'repo',
    'between branches',
    'difference',
    'what is different',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'read-only',
  egress: 'none',
  describe: ({ path, ...wish }) => `Show changes in ${path}${rangeOf(wish)}`,
  preview: ({ path, ...wish }) => ({
    kind: 'text',
    title: 'git diff',
    text: [`${path}${rangeOf(wish)}`, ...wish.files].join('\n'),
  }),
  effects: ({ path, ...wish }, inspect) =>
    foundGit(path, inspect, async ({ location }) => ({
      commands: [wordsOf(wish)],
      effects: [gitEffect('read', location.path)],
    })),
  async run({ path, ...wish }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const outcome = await runGit(opened, wordsOf(wish), capabilities, signal)
    if (outcome.kind === 'failed') return fromHistory(path, capabilities, failed(outcome.reason))
    const text = clipped(outcome.text.trimEnd(), outcome.truncated)
    const told = succeeded(text || 'Nothing differs.', `git diff of ${path}${rangeOf(wish)}`)
    return fromHistory(path, capabilities, told)
  },
})

function wordsOf({ staged, from, to, files }: DiffRequest): string[] {
  return [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=all',
    ...(staged ? ['--cached'] : []),
    ...(from === null ? [] : [from]),
    ...(to === null ? [] : [to]),
    '--',
    ...files,
  ]
}

function rangeOf({ staged, from, to }: DiffRequest): string {
  if (from !== null) return to === null ? ` since ${from}` : ` from ${from} to ${to}`
  return staged ? ', staged' : ''
}
