/** Shows the history of a repository. Runs nothing that the repository names. */
import { z } from 'zod'
import { clipped } from '../code/clip.ts'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, fromHistory, gitEffect, runGit } from './command.ts'
import { commitName } from './names.ts'
import { openRepository } from './repository.ts'

interface LogRequest {
  readonly limit: number
  readonly ref: string
  readonly files: readonly string[]
}

export const gitLog = defineTool({
  name: 'git_log',
  version: '2',
  description: 'Show the latest commits of a git repository.',
  input: z.strictObject({
    path: pathText.default('.'),
    limit: z.int().min(1).max(50).default(10),
    ref: commitName.default('HEAD'),
    files: z.array(pathText).max(100).default([]),
  }),
  category: 'git',
  group: 'git',
  tags: [
    'git',
    'log',
    'history',
    'commits',
    'last commits',
    'last changes',
    'who',
    'who changed',
    'authors',
    'version control',
    'repo',
    'repository',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  limit: { param: 'limit', max: 50, default: 10 },
  runs: 'executor',
  sandbox: 'read-only',
  egress: 'none',
  describe: ({ path, ref }) => `Show the history of ${path} from ${ref}`,
  preview: ({ path, ref, files }) => ({
    kind: 'text',
    title: 'git log',
    text: [`${path} from ${ref}`, ...files].join('\n'),
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
    const told = succeeded(text || 'There are no such commits.', `git log of ${path}`)
    return fromHistory(path, capabilities, told)
  },
})

function wordsOf({ limit, ref, files }: LogRequest): string[] {
  return [
    'log',
    `--max-count=${limit}`,
    '--no-show-signature',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-decorate',
    '--format=%h %ad %an%n  %s',
    '--date=iso-strict',
    ref,
    '--',
    ...files,
  ]
}
