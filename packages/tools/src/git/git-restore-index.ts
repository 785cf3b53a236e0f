/** Puts an earlier index back. Refuses when something was staged since. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, gitEffect, runGit } from './command.ts'
import { objectId } from './names.ts'
import { openRepository } from './repository.ts'

export const gitRestoreIndex = defineTool({
  name: 'git_restore_index',
  version: '1',
  description: 'Put the earlier index of a git repository back.',
  input: z.strictObject({ path: pathText, from: objectId, to: objectId }),
  category: 'git',
  group: 'git',
  tags: ['undo', 'unstage'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_restore_index',
  describe: ({ path }) => `Put the earlier index of ${path} back`,
  preview: ({ path, from, to }) => ({
    kind: 'text',
    title: 'Restore the git index',
    text: `${path}\nfrom ${from}\nto ${to}`,
  }),
  effects: ({ path, to }, inspect) =>
    foundGit(path, inspect, async ({ location }) => ({
      commands: [writeTree, readTree(to)],
      effects: [gitEffect('write', `the index of ${location.path}`)],
    })),
  async run({ path, from, to }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const present = await runGit(opened, writeTree, capabilities, signal)
    if (present.kind === 'failed') return failed(present.reason)
    if (present.text.trim() !== from)
      return failed('Something was staged since; putting the index back would lose that.')
    const outcome = await runGit(opened, readTree(to), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Put the earlier index of ${path} back`
    return succeeded(summary, summary, { tool: 'git_restore_index', args: { path, from: to, to: from } })
  },
})

const writeTree = ['write-tree']
/** Of the index only; what is known of the files on disk is kept, so nothing looks changed that is not. */
const readTree = (id: string) => ['read-tree', '-i', '-m', id]
