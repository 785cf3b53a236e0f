/**
 * Owns the part of `countersign extension` that is about skills that wait for a review, because an agent wrote them or a server
 * served them: fetching one, showing it, what it would change, and asking for the review or the removal.
 */
import type { ProposedSkill } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import {
  longestChanges,
  otherTexts,
  type SkillFiles,
  skillChanges,
  skillFile,
  skillReport,
} from '@countersign/contract/skills'
import type { Context, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { pinnedAnswer } from './extension-pinned.ts'
import { filesKept, made, shownOf, skillNamed, textOfFile } from './extension-skill.ts'
import { originWords } from './skill-origin-words.ts'

export async function proposalNamed(client: Client, name: string): Promise<ProposedSkill | undefined> {
  return (await client.extensions()).proposals.find((proposal) => proposal.name === name)
}

/** The proposal that a command is about: one that is named as waiting, or the only thing of its name. */
export async function meantProposal(
  client: Client,
  name: string,
  { waiting }: OptionValues,
): Promise<ProposedSkill | undefined> {
  const { skills, servers, proposals } = await client.extensions()
  const isThere = [...skills, ...servers].some((each) => each.name === name)
  return isThere && waiting !== true ? undefined : proposals.find((proposal) => proposal.name === name)
}

export function briefOfProposal({ name, files, ...origin }: ProposedSkill) {
  return { name, files: files.length, origin: originWords(origin) }
}

export function waitingTable(waiting: readonly ReturnType<typeof briefOfProposal>[]): string[][] {
  return [
    ['Waits for your review', 'Files', 'Origin'],
    ...waiting.map(({ name, files, origin }) => [line(name), String(files), line(origin)]),
  ]
}

export function noneWaits(name: string, command: string): CommandAnswer {
  return usage(
    `No skill ${line(name)} waits for a review. See what does with \`countersign extension list\`.`,
    command,
  )
}

export async function showProposal(
  context: Context,
  client: Client,
  proposal: ProposedSkill,
  { file }: OptionValues,
): Promise<CommandAnswer> {
  if (typeof file === 'string') {
    const text = await textOfFile(context, client, { ...proposal, kind: 'proposal' }, file)
    return typeof text === 'string' ? done({ file, text }, () => lines(text)) : text
  }
  const { name, description, tree, files, allowedTools } = proposal
  return done({ proposal }, () =>
    [
      `${context.paint('strong', line(name))}  waits for your review`,
      indent(
        columns([
          ['Is for', line(description)],
          ['Origin', line(originWords(proposal))],
          ['Tree', `${tree.slice(0, 16)}…`],
          ['Tools', allowedTools === null ? 'it does not say' : line(allowedTools.join(', '))],
        ]),
      ),
      '',
      context.paint('strong', 'Files'),
      indent(
        columns(files.map(({ path, size, sha256 }) => [line(path), `${size} B`, `${sha256.slice(0, 16)}…`])),
      ),
      '',
      `Read one with \`countersign extension show ${line(name)} --waiting --file ${skillFile}\`. No agent can use it before \`countersign extension review ${line(name)}\`.`,
    ].join('\n'),
  )
}

interface Compared {
  readonly files: SkillFiles
  /** Null where there is no former version. */
  readonly replaces: { readonly tree: string; readonly changes: string } | null
}

async function compared(
  context: Context,
  client: Client,
  proposal: ProposedSkill,
): Promise<Compared | { readonly problem: CommandAnswer }> {
  const files = await filesKept(context, client, { ...proposal, kind: 'proposal' }, new Map())
  if ('kind' in files) return { problem: files }
  const before = await skillNamed(client, proposal.name)
  if (!before) return { files, replaces: null }
  const was = await filesKept(context, client, before, files)
  return 'kind' in was
    ? { problem: was }
    : { files, replaces: { tree: before.tree, changes: skillChanges(was, files) } }
}

/** Nothing where nothing of this name waits, or the skill of this name was not reviewed itself. */
export async function reviewProposal(
  context: Context,
  client: Client,
  name: string,
): Promise<CommandAnswer | undefined> {
  const proposal = await proposalNamed(client, name)
  if (!proposal || (await skillNamed(client, name))?.reviewed === false) return undefined
  const found = await compared(context, client, proposal)
  if ('problem' in found) return found.problem
  const { files, replaces } = found
  const { writtenBy, servedBy } = proposal
  const origin = { ...(writtenBy ? { writtenBy } : {}), ...(servedBy ? { servedBy } : {}) }
  if (replaces !== null && replaces.changes.length > longestChanges)
    return usage('More differs than can be read on one card. Remove one of both.', 'extension review')
  return made(context, client, 'review_proposed_skill', {
    name,
    ...shownOf(files),
    // What a server serves may be more than one card shows.
    others: servedBy ? [] : otherTexts(files),
    ...origin,
    replaces,
  })
}

/** `countersign extension diff`, where no other files are named. */
export async function diffOfProposal(
  context: Context,
  client: Client,
  proposal: ProposedSkill,
): Promise<CommandAnswer> {
  const found = await compared(context, client, proposal)
  if ('problem' in found) return found.problem
  const changes = found.replaces?.changes ?? skillChanges(new Map(), found.files)
  const report = skillReport(found.files)
  return done({ changes, report }, () => lines([changes, '', 'Report:', ...report].join('\n')))
}

export async function removeProposal(context: Context, client: Client, name: string): Promise<CommandAnswer> {
  return made(context, client, 'remove_proposed_skill', { name })
}

/** `--server`: a skill that a server serves is fetched and waits; a later one is seen by a review as well. */
export async function fetchSkill(
  context: Context,
  client: Client,
  {
    name,
    options,
    isNew,
  }: { readonly name: string; readonly options: OptionValues; readonly isNew: boolean },
): Promise<CommandAnswer> {
  const command = isNew ? 'extension add' : 'extension update'
  const { servers, skills } = await client.extensions()
  const before = skills.find((skill) => skill.name === name)
  const from = typeof options['server'] === 'string' ? options['server'] : ''
  const server = servers.find((each) => each.name === from)
  if (!server) return usage(`There is no server ${line(from)}. Add it first.`, command)
  if (isNew && before)
    return usage(
      `There is a skill ${line(name)} already. Change it with \`countersign extension update ${line(name)} --server ${line(from)}\`.`,
      command,
    )
  if (!isNew && before?.servedBy?.server !== from)
    return usage(`The skill ${line(name)} is not served by ${line(from)}.`, command)
  if (before?.pinned) return pinnedAnswer(name, command)
  const uri = typeof options['uri'] === 'string' ? options['uri'] : (before?.servedBy?.uri ?? null)
  return made(context, client, 'fetch_server_skill', { server: from, launch: server.launchHash, name, uri })
}
