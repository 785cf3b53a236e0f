/**
 * The capability on what was let in from outside: the entry that the permit names, in the state that it names. Refuses
 * another entry, one that has changed since, and files with another hash than the approved one.
 */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import type {
  ApprovalSubject,
  ExtensionResource,
  InstalledExtensions,
  InstalledServer,
  InstalledSkill,
} from '@countersign/contract'
import {
  joinLabels,
  kindOf,
  type ProposedSkill,
  type SkillAuthor,
  type SkillServer,
} from '@countersign/contract'
import type { SkillFile, SkillFiles } from '@countersign/contract/skills'
import {
  entryHash,
  proposalNamed,
  skillNamed,
  type ToolCapabilities,
  type TreeSource,
  takenBy,
} from '@countersign/tools'
import type { Extensions } from '../extensions/extensions.ts'
import type { KeptTree } from '../extensions/tree-store.ts'
import { failure } from './failure.ts'

export interface ExtensionParts {
  readonly extensions: Extensions
  readonly now: () => Date
  /** The product's own folders, by their real paths. Nothing is let in from there. */
  readonly closed: readonly string[]
}

type Kind = ExtensionResource['kind']
type Op = ExtensionResource['op']

export function extensionCapabilities(
  subject: Pick<ApprovalSubject, 'resources' | 'agent' | 'run' | 'provenance'>,
  parts: ExtensionParts,
): ToolCapabilities['extensions'] {
  const { extensions, now } = parts
  const problem = (kind: Kind, name: string, ops: readonly Op[]) =>
    permitProblem(subject, extensions.current(), { kind, name, ops })

  return {
    installed: () => extensions.current(),
    putServer: (server, from, isUnfit) =>
      extensions.holding(async () => {
        const kind = kindOf(server)
        const refusal = problem(kind, server.name, ['add', 'change'])
        if (refusal !== undefined) return failure(refusal)
        const tree = server.launch.kind === 'http' ? null : server.launch.tree
        const entry = { kind, name: server.name, tree: tree ?? '' }
        const kept =
          tree === null ? undefined : await keepTree(entry, from ?? { kind: 'kept' }, parts, isUnfit)
        if (kept?.kind === 'refused') return failure(kept.reason)
        await extensions.change((before) => {
          const entry = { ...server, addedAt: addedAt(before.servers, server.name, now) }
          return { ...before, servers: placed(before.servers, entry) }
        })
        return { kind: 'kept' }
      }),
    ...skillCapabilities(subject, parts, problem),
    async remove(kind, name) {
      const refusal = problem(kind, name, ['remove'])
      if (refusal !== undefined) return failure(refusal)
      await extensions.change((before) => without(before, kind, name))
      return { kind: 'removed' }
    },
    async readFile(kind, name, path) {
      const refusal = problem(kind, name, ['use', 'change', 'remove'])
      if (refusal !== undefined) return failure(refusal)
      const tree = treeOf(extensions.current(), kind, name)
      if (tree === null) return failure(`The ${kind} ${name} has no files.`)
      const bytes = await extensions.trees.read(tree, path)
      return 'kind' in bytes ? failure(bytes.reason) : { kind: 'read', bytes }
    },
  }
}

/** Skills, and those that agents wrote, which wait for a review. */
function skillCapabilities(
  subject: Pick<ApprovalSubject, 'agent' | 'run' | 'provenance'>,
  parts: ExtensionParts,
  problem: (kind: Kind, name: string, ops: readonly Op[]) => string | undefined,
): Pick<ToolCapabilities['extensions'], 'putSkill' | 'putProposal' | 'takeProposal'> {
  const { extensions, now } = parts
  return {
    putSkill: (skill, from, isUnfit) =>
      extensions.holding(async () => {
        const refusal = problem('skill', skill.name, ['add', 'change'])
        if (refusal !== undefined) return failure(refusal)
        const { name, tree } = skill
        const kept = await keepTree({ kind: 'skill', name, tree }, from, parts, isUnfit)
        if (kept.kind === 'refused') return failure(kept.reason)
        await extensions.change((before) => {
          const entry = { ...skill, files: [...kept.files], addedAt: addedAt(before.skills, skill.name, now) }
          return { ...before, skills: placed(before.skills, entry) }
        })
        return { kind: 'kept', files: kept.files }
      }),
    putProposal: (proposal, given, servedBy) =>
      extensions.holding(async () => {
        const refusal =
          problem('proposal', proposal.name, ['add']) ??
          (servedBy && problem('server', servedBy.server, ['use']))
        if (refusal !== undefined) return failure(refusal)
        const kept = await extensions.trees.keepFiles(given, proposal.tree)
        if (kept.kind === 'refused') return failure(kept.reason)
        await extensions.change((before) => {
          const origin = servedBy
            ? { servedBy: { ...servedBy, at: now().toISOString() } }
            : { writtenBy: authorOf(subject, skillNamed(before, proposal.name), now) }
          const entry = { ...proposal, files: [...kept.files], ...origin }
          return { ...before, proposals: placed(before.proposals, entry) }
        })
        return { kind: 'kept' }
      }),
    takeProposal: (name, isUnfit) =>
      extensions.holding(async () => {
        const refusal = problem('proposal', name, ['remove']) ?? problem('skill', name, ['add', 'change'])
        if (refusal !== undefined) return failure(refusal)
        const proposal = proposalNamed(extensions.current(), name)
        if (!proposal) return failure(`No skill ${name} waits for a review.`)
        const entry: TreeOfEntry = { kind: 'skill', name, tree: proposal.tree }
        const kept = await keepTree(entry, { kind: 'kept' }, parts, isUnfit)
        if (kept.kind === 'refused') return failure(kept.reason)
        await extensions.change((before) => ({
          ...without(before, 'proposal', name),
          skills: placed(before.skills, reviewedSkill(proposal, before, now)),
        }))
        return { kind: 'kept' }
      }),
  }
}

/** Nothing that a tool or a model says comes in: who wrote it and after what stands in the permit. */
function authorOf(
  { agent, run, provenance }: Pick<ApprovalSubject, 'agent' | 'run' | 'provenance'>,
  former: InstalledSkill | undefined,
  now: () => Date,
): SkillAuthor {
  // What the former version was made of is still in the next one.
  const label = former?.writtenBy ? joinLabels(former.writtenBy.label, provenance) : provenance
  return { agent, run, label, at: now().toISOString() }
}

function writtenOrigin(writtenBy: SkillAuthor) {
  return { source: `written by the agent ${writtenBy.agent} in the run ${writtenBy.run}`, writtenBy }
}

function servedOrigin(servedBy: SkillServer) {
  return { source: `served by the server ${servedBy.server} at ${servedBy.uri}`.slice(0, 1000), servedBy }
}

function reviewedSkill(
  { name, description, tree, files, allowedTools, writtenBy, servedBy }: ProposedSkill,
  { skills }: InstalledExtensions,
  now: () => Date,
): InstalledSkill {
  const before = skills.find((each) => each.name === name)
  return {
    name,
    description,
    tree,
    files,
    ...(servedBy ? servedOrigin(servedBy) : writtenBy ? writtenOrigin(writtenBy) : { source: 'unknown' }),
    reviewed: true,
    enabled: before?.enabled ?? true,
    allowedTools,
    addedAt: addedAt(skills, name, now),
  }
}

/** Says why the permit is not for this, or nothing. */
function permitProblem(
  { resources }: Pick<ApprovalSubject, 'resources'>,
  now: InstalledExtensions,
  { kind, name, ops }: { readonly kind: Kind; readonly name: string; readonly ops: readonly Op[] },
): string | undefined {
  const named = resources.find(
    (each) => each.type === 'extension' && each.kind === kind && each.name === name && ops.includes(each.op),
  )
  if (named?.type !== 'extension') return `The permit does not name the ${kind} ${name} for this.`
  // Another kind of the same name may have come since, and would lose its place.
  const taken = kind === 'proposal' && named.op !== 'add' ? undefined : takenBy(now, kind, name)
  if (taken !== undefined) return taken
  return named.entry === entryHash(now, kind, name)
    ? undefined
    : `The ${kind} ${name} has changed since this was decided. Ask for it again.`
}

async function keep(
  sha256: string,
  from: TreeSource,
  { extensions: { trees }, closed }: ExtensionParts,
): Promise<KeptTree | Refusal> {
  switch (from.kind) {
    case 'folder': {
      const path = await realpath(from.path).catch(() => undefined)
      if (path === undefined) return { kind: 'refused', reason: `There is no folder ${from.path}.` }
      if (closed.some((own) => path === own || path.startsWith(own + sep) || own.startsWith(path + sep)))
        return {
          kind: 'refused',
          reason: `${from.path} is closed to extensions. Copy the files elsewhere first.`,
        }
      return trees.keepFolder(path, sha256)
    }
    case 'files':
      return trees.keepFiles(from.files, sha256)
    case 'kept': {
      const files = await trees.files(sha256)
      return files
        ? { kind: 'kept', sha256, files }
        : { kind: 'refused', reason: 'Its files are not here. Add it again from their folder.' }
    }
  }
}

function addedAt(
  entries: readonly (InstalledServer | InstalledSkill)[],
  name: string,
  now: () => Date,
): string {
  return entries.find((each) => each.name === name)?.addedAt ?? now().toISOString()
}

type IsUnfit = Parameters<ToolCapabilities['extensions']['putSkill']>[2]

interface TreeOfEntry {
  readonly kind: Kind
  readonly name: string
  readonly tree: string
}

/** Looks at what is kept, and not at where it came from. */
async function keepTree(
  entry: TreeOfEntry,
  from: TreeSource,
  parts: ExtensionParts,
  isUnfit: IsUnfit,
): Promise<KeptTree | Refusal> {
  const kept = await keep(entry.tree, from, parts)
  const reason = kept.kind === 'kept' && isUnfit ? await unfitBy(isUnfit, entry, parts) : undefined
  return reason === undefined ? kept : { kind: 'refused', reason }
}

async function unfitBy(
  isUnfit: NonNullable<IsUnfit>,
  { kind, name, tree }: TreeOfEntry,
  { extensions: { current, trees } }: ExtensionParts,
): Promise<string | undefined> {
  const before = treeOf(current(), kind, name)
  const files = await filesOf(trees, tree)
  const was = before === null ? undefined : await filesOf(trees, before)
  return typeof files === 'string' ? files : typeof was === 'string' ? was : isUnfit(files, was)
}

/** A text says why they cannot be read. */
async function filesOf(trees: Extensions['trees'], tree: string): Promise<SkillFiles | string> {
  const files = new Map<string, SkillFile>()
  for (const { path, executable } of (await trees.files(tree)) ?? []) {
    const bytes = await trees.read(tree, path)
    if ('kind' in bytes) return bytes.reason
    files.set(path, { bytes, executable })
  }
  return files
}

type Refusal = { readonly kind: 'refused'; readonly reason: string }

function placed<Entry extends { readonly name: string }>(entries: readonly Entry[], entry: Entry): Entry[] {
  return [...entries.filter(({ name }) => name !== entry.name), entry].toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  )
}

function without(before: InstalledExtensions, kind: Kind, name: string): InstalledExtensions {
  if (kind === 'proposal')
    return { ...before, proposals: before.proposals.filter((each) => each.name !== name) }
  return kind === 'skill'
    ? { ...before, skills: before.skills.filter((each) => each.name !== name) }
    : { ...before, servers: before.servers.filter((each) => each.name !== name) }
}

function treeOf(now: InstalledExtensions, kind: Kind, name: string): string | null {
  if (kind === 'skill') return now.skills.find((each) => each.name === name)?.tree ?? null
  if (kind === 'proposal') return proposalNamed(now, name)?.tree ?? null
  const launch = now.servers.find((each) => each.name === name)?.launch
  return launch === undefined || launch.kind === 'http' ? null : launch.tree
}
