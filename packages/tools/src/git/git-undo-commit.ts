/** Takes a branch back to where it stood, and leaves index and files. Refuses when it has moved on. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundGit, gitEffect, runGit } from './command.ts'
import { branchName, objectId } from './names.ts'
import { moveRef } from './ref.ts'
import { openRepository } from './repository.ts'

const head = z.union([
  z.literal('HEAD'),
  z.string().refine((text) => {
    return text.startsWith('refs/heads/') && branchName.safeParse(text.slice('refs/heads/'.length)).success
  }, 'is not a branch'),
])

export const gitUndoCommit = defineTool({
  name: 'git_undo_commit',
  version: '1',
  description: 'Take the latest commit of a git repository back.',
  input: z
    .strictObject({
      path: pathText,
      ref: head,
      from: objectId.nullable(),
      to: objectId.nullable(),
    })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: 'is the same' }),
  category: 'git',
  group: 'git',
  tags: ['undo', 'reset'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_undo_commit',
  describe: ({ ref, to }) => `Take ${ref} back to ${to ?? 'before its first commit'}`,
  preview: ({ path, ref, from, to }) => ({
    kind: 'text',
    title: 'Move a branch',
    text: `${ref} of ${path}\nfrom ${from ?? 'nothing'}\nto ${to ?? 'nothing'}`,
  }),
  effects: ({ path, ref, from, to }, inspect) =>
    foundGit(path, inspect, async ({ head: now, tip, location }) => {
      if ((now.kind === 'branch' ? now.ref : 'HEAD') !== ref)
        return { kind: 'invalid', reason: `${path} is on another branch now. Check out ${ref} first.` }
      const at = now.kind === 'branch' ? await tip(ref) : ({ kind: 'tip', id: now.id } as const)
      if (at.kind !== 'tip') return at
      if (at.id !== from) return { kind: 'invalid', reason: `${ref} has moved on since.` }
      return {
        commands: [moveRef(ref, from, to)],
        effects: [gitEffect('write', `${ref} of ${location.path}`)],
      }
    }),
  async run({ path, ref, from, to }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const outcome = await runGit(opened, moveRef(ref, from, to), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Took ${ref} back to ${to ?? 'before its first commit'}`
    return succeeded(summary, summary, { tool: 'git_undo_commit', args: { path, ref, from: to, to: from } })
  },
})
