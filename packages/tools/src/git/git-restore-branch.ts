/** Takes the making or the deleting of a branch back. Refuses when it has moved since. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, gitEffect, runGit } from './command.ts'
import { branchName, objectId } from './names.ts'
import { moveRef } from './ref.ts'
import { openRepository } from './repository.ts'

export const gitRestoreBranch = defineTool({
  name: 'git_restore_branch',
  version: '1',
  description: 'Put a branch of a git repository back where it stood.',
  input: z
    .strictObject({
      path: pathText,
      name: branchName,
      from: objectId.nullable(),
      to: objectId.nullable(),
    })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: 'is the same' }),
  category: 'git',
  group: 'git',
  tags: ['undo', 'branch'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_restore_branch',
  describe: ({ name, to }) =>
    to === null ? `Remove the branch ${name} again` : `Restore the branch ${name}`,
  preview: ({ path, name, from, to }) => ({
    kind: 'text',
    title: 'Restore a branch',
    text: `${name} of ${path}\nfrom ${from ?? 'nothing'}\nto ${to ?? 'nothing'}`,
  }),
  effects: ({ path, name, from, to }, inspect) =>
    foundGit(path, inspect, async ({ head, tip, location }) => {
      const at = await tip(`refs/heads/${name}`)
      if (at.kind !== 'tip') return at
      if (at.id !== from) return { kind: 'invalid', reason: `The branch ${name} has moved since.` }
      if (to === null && head.kind === 'branch' && head.name === name)
        return { kind: 'invalid', reason: `${name} is checked out. Check out another branch first.` }
      return {
        commands: [moveRef(`refs/heads/${name}`, from, to)],
        effects: [gitEffect('write', `the branch ${name} of ${location.path}`)],
      }
    }),
  async run({ path, name, from, to }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const outcome = await runGit(opened, moveRef(`refs/heads/${name}`, from, to), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = to === null ? `Removed the branch ${name}` : `Restored the branch ${name}`
    return succeeded(summary, summary, {
      tool: 'git_restore_branch',
      args: { path, name, from: to, to: from },
    })
  },
})
