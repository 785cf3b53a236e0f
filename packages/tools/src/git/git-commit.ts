/** Makes one commit of what is staged. Refuses while a merge is under way, and signs nothing. */
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, nameText, pathText } from '../text.ts'
import { foundGit, type GitCall, gitEffect, runGit } from './command.ts'
import { locationIn, openRepository, type Repository } from './repository.ts'

interface Author {
  readonly author_name: string | null
  readonly author_email: string | null
}

export const gitCommit = defineTool({
  name: 'git_commit',
  version: '2',
  description: 'Commit what is staged in a git repository.',
  input: z.strictObject({
    message: commandText(8192).refine((text) => text.trim() !== '', 'is empty'),
    path: pathText.default('.'),
    author_name: nameText(200)
      .refine((text) => !/[<>]/.test(text), 'holds < or >')
      .nullable()
      .default(null),
    author_email: nameText(200)
      .refine((text) => !/[<>\s]/.test(text), 'holds <, > or a space')
      .nullable()
      .default(null),
  }),
  category: 'git',
  group: 'git',
  tags: ['git', 'commit', 'save', 'record', 'snapshot', 'check in', 'message', 'version control', 'repo'],
  effect: 'once',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'git_undo_commit',
  describe: ({ message }) => `Commit: ${message.split('\n')[0]}`,
  preview: ({ path, message, author_name, author_email }) => ({
    kind: 'text',
    title: ['git commit in', path, ...named(author_name, author_email)].join(' '),
    text: message,
  }),
  effects: ({ path, message, ...author }, inspect) =>
    foundGit(path, inspect, async (repository) => {
      const settled = await repository.settled()
      if (settled.kind !== 'settled') return settled
      const old = await tipOf(repository)
      if (old.kind !== 'tip') return old
      return {
        commands: [commitWords(repository, message, author), lastWords],
        effects: [gitEffect('write', `${headText(repository)} of ${repository.location.path}`)],
      }
    }),
  async run({ path, message, ...author }, capabilities, signal) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return failed(opened.reason)
    const { repository } = opened
    const old = await tipOf(repository)
    if (old.kind !== 'tip') return failed(old.reason)
    const outcome = await runGit(opened, commitWords(repository, message, author), capabilities, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const last = await lastCommit({ repository }, capabilities, signal)
    if (!last) return succeeded('Committed.', `Committed: ${message}`)
    return committed(path, repository, message, last.id, old.id)
  },
  async probe({ path, message }, capabilities) {
    const opened = await openRepository(path, capabilities)
    if (opened.kind === 'failed') return undefined
    const { repository } = opened
    if (repository.head.kind !== 'branch') return undefined
    const { signal } = new AbortController()
    // The commit in question is what moves the branch.
    const branch = locationIn(repository.location, `.git/${repository.head.ref}`)
    const last = await lastCommit({ repository, unsealed: [branch] }, capabilities, signal)
    const wasAt = await boundTip(repository, capabilities)
    if (wasAt === undefined) return undefined
    if (last === undefined) return wasAt('') ? failed('The commit was not made.') : undefined
    if (wasAt(last.id)) return failed('The commit was not made.')
    if (!wasAt(last.parents) || last.message.trim() !== message.trim()) return undefined
    return committed(path, repository, message, last.id, last.parents || null)
  },
})

const lastWords = ['log', '--max-count=1', '--no-show-signature', '--format=%H%n%P%n%B', 'HEAD', '--']

function tipOf({ head, tip }: Repository) {
  return head.kind === 'branch' ? tip(head.ref) : ({ kind: 'tip', id: head.id } as const)
}

function headText({ head }: Repository): string {
  return head.kind === 'branch' ? `the branch ${head.name}` : 'the detached head'
}

/** Whoever a commit is ascribed to stands on the card. */
function named(name: string | null, email: string | null): string[] {
  const who = [name, email === null ? null : `<${email}>`].filter((part) => part !== null)
  return who.length === 0 ? [] : ['as', ...who]
}

function commitWords({ config }: Repository, message: string, author: Author): string[] {
  const name = author.author_name ?? (config.hasUser ? null : 'Countersign')
  const email = author.author_email ?? (config.hasUser ? null : 'countersign@localhost')
  return [
    '-c',
    'user.useConfigOnly=true',
    ...(name === null ? [] : ['-c', `user.name=${name}`]),
    ...(email === null ? [] : ['-c', `user.email=${email}`]),
    'commit',
    '--quiet',
    '--no-verify',
    '--no-gpg-sign',
    '--no-edit',
    '--cleanup=whitespace',
    `--message=${message}`,
    '--',
  ]
}

async function lastCommit(
  call: GitCall,
  capabilities: ToolCapabilities,
  signal: AbortSignal,
): Promise<{ id: string; parents: string; message: string } | undefined> {
  const outcome = await runGit(call, lastWords, capabilities, signal)
  if (outcome.kind === 'failed') return undefined
  const [id = '', parents = '', ...message] = outcome.text.split('\n')
  return { id, parents, message: message.join('\n') }
}

/** Whether the branch stood at a commit when the call was bound; the reference is known by its hash only. */
async function boundTip(
  { head, location, tip }: Repository,
  capabilities: ToolCapabilities,
): Promise<((id: string) => boolean) | undefined> {
  if (head.kind !== 'branch') return undefined
  const resource = capabilities.files.bound(locationIn(location, `.git/${head.ref}`))
  if (!resource) return undefined
  if (resource.content !== null) return (id) => sha256Hex(`${id}\n`) === resource.content
  const packed = await tip(head.ref)
  return packed.kind === 'tip' ? (id) => id === (packed.id ?? '') : undefined
}

function committed(
  path: string,
  { head }: Repository,
  message: string,
  id: string,
  old: string | null,
): ReturnType<typeof succeeded> {
  const ref = head.kind === 'branch' ? head.ref : 'HEAD'
  const subject = message.split('\n')[0] ?? ''
  return succeeded(`Committed ${id}`, `Committed ${id.slice(0, 10)}: ${subject}`, {
    tool: 'git_undo_commit',
    args: { path, ref, from: id, to: old },
  })
}
