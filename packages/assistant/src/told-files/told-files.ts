/**
 * Owns the files of the workspace that agents are told. A model can write such a file, and so can a program that brings
 * a stranger's words, so a file is told only while it says, byte for byte, what the operator was shown and accepted.
 * Refuses what is marked as holding words of strangers.
 */
import { createHash } from 'node:crypto'
import { promptLimits } from '@countersign/agent'
import {
  type AcceptToldFile,
  CountersignError,
  isWithin,
  type JsonObject,
  joinLabels,
  type Label,
  largestToldFile,
  mostToldFiles,
  operatorLabel,
  type StoredRecord,
  type ToldFile,
  type ToldFileAccepted,
  type ToldFileContent,
  type ToldFileRemoved,
  type ToldFileState,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import type { WorkspaceTexts } from '../content/index.ts'
import type { FileItem } from '../context/composer.ts'

export interface ToldFiles {
  list(): Promise<ToldFile[]>
  /** As the operator is shown it before they accept it. */
  content(path: string): Promise<ToldFileContent>
  accept(by: Actor, wanted: AcceptToldFile): Promise<ToldFileAccepted>
  remove(by: Actor, path: string): Promise<ToldFileRemoved>
  /** Those that stand in a prompt, by path: of an agent with a folder of its own, those in it. */
  forPrompt(folder: string | undefined): Promise<FileItem[]>
}

export interface ToldFilesParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records'>
  readonly files: Pick<WorkspaceTexts, 'read'>
  /** What the marks say of each path; null where nothing is known against it. */
  readonly worth: (paths: readonly string[]) => Promise<readonly (Label | null)[]>
}

const collection = 'told_files'

/** What was accepted, and what is there now. */
interface Found {
  readonly record: StoredRecord
  readonly path: string
  readonly sha256: string
  readonly isPublic: boolean
  readonly state: ToldFileState
  readonly text: string
  readonly label: Label | null
  /** Of what is there; nothing where nothing can be read. */
  readonly now: string | undefined
}

export function createToldFiles({ context, files, worth }: ToldFilesParts): ToldFiles {
  const { operator, records: port } = context

  async function found(): Promise<Found[]> {
    const { records } = await port.shared(operator, ({ records: rows }) =>
      rows.list(collection, { limit: mostToldFiles, order: [{ field: 'path', direction: 'up' }] }),
    )
    if (records.length === 0) return []
    const accepted = records.map((record) => ({ record, ...acceptedIn(record) }))
    const texts = await Promise.all(accepted.map(({ path }) => textAt(path)))
    // After the reading: a mark that came meanwhile counts.
    const labels = await worth(accepted.map(({ path }) => path))
    return accepted.map((each, place) => {
      const text = texts[place]
      const label = labels[place] ?? null
      const now = text === undefined ? undefined : hashOf(text)
      return { ...each, text: text ?? '', label, now, state: stateOf(each.sha256, now, label) }
    })
  }

  async function textAt(path: string): Promise<string | undefined> {
    const read = await files.read(path)
    const text = read?.text ?? undefined
    return text === undefined || Buffer.byteLength(text) > largestToldFile ? undefined : text
  }

  /** Once for each content that somebody put there. */
  async function tellChanges(all: readonly Found[]): Promise<void> {
    const fresh = all.filter(
      ({ record, state, now }) => state !== 'told' && record.data['noticed'] !== noticeOf(state, now),
    )
    if (fresh.length === 0) return
    await port.change(operator, async (tx) => {
      for (const { record, path, state, now } of fresh) {
        const row = await tx.records.get(collection, record.id)
        const noticed = noticeOf(state, now)
        if (row?.version !== record.version) continue
        await tx.records.replace(collection, row.id, row.version, { ...row.data, noticed }, row.label)
        tx.emit({ type: 'notice', about: path, text: notices[state as keyof typeof notices](path) })
      }
    })
  }

  return {
    list: async () => (await found()).map(viewOf),
    async content(path) {
      const text = await textAt(path)
      if (text === undefined) throw unreadable(path)
      const [label = null] = await worth([path])
      const record = await port.read(operator, ({ records }) => records.get(collection, idOf(path)))
      const sha256 = hashOf(text)
      return {
        path,
        sha256,
        text,
        told: Math.min(text.trim().length, promptLimits.fileLength),
        label,
        isAccepted: record?.data['sha256'] === sha256,
      }
    },
    async accept(by, { path, sha256, isPublic }) {
      const text = await textAt(path)
      if (text === undefined) throw unreadable(path)
      if (hashOf(text) !== sha256)
        throw new CountersignError('conflict', `${path} has changed since you were shown it.`, {
          next: `Look at it with \`countersign agent file show ${path}\`, and accept it again.`,
        })
      const [label = null] = await worth([path])
      if (label?.integrity === 'untrusted')
        throw new CountersignError('usage', `${path} is marked as holding words of strangers.`, {
          next: `If you have read it and it is yours, run \`countersign file trust ${path}\` first.`,
        })
      const { value, ledger } = await port.change(operator, async (tx) => {
        const record = await keep(tx, path, { path, sha256, isPublic })
        tx.record({ type: 'agent.file_accepted', actor: by, data: { path, sha256, isPublic } })
        return viewOf({ record, path, sha256, isPublic, state: 'told' })
      })
      return { file: value, ledger }
    },
    async remove(by, path) {
      const { ledger } = await port.change(operator, async (tx) => {
        const record = await tx.records.get(collection, idOf(path))
        if (!record)
          throw new CountersignError('not_found', `No agent is told ${path}.`, {
            next: 'See which files are told with `countersign agent file`.',
          })
        await tx.records.remove(collection, record.id, record.version)
        tx.record({ type: 'agent.file_removed', actor: by, data: { path } })
      })
      return { path, ledger }
    },
    async forPrompt(folder) {
      const all = await found()
      await tellChanges(all)
      return all
        .filter(({ state, path }) => state === 'told' && (folder === undefined || isWithin(path, folder)))
        .map(({ path, text, isPublic, label }) => ({ path, text, label: labelOf(isPublic, label) }))
    },
  }
}

/** Accepted byte for byte, and as private as any file unless the operator said otherwise. */
function labelOf(isPublic: boolean, mark: Label | null): Label {
  const own: Label = { ...operatorLabel, confidentiality: isPublic ? 'public' : 'private' }
  return mark ? joinLabels(own, mark) : own
}

function stateOf(accepted: string, now: string | undefined, label: Label | null): ToldFileState {
  if (now === undefined) return 'missing'
  if (now !== accepted) return 'changed'
  return label?.integrity === 'untrusted' ? 'untrusted' : 'told'
}

const notices = {
  changed: (path: string) =>
    `${path} has changed since you accepted it, so agents are no longer told it. Look at it and accept it again with \`countersign agent file accept ${path}\`.`,
  missing: (path: string) =>
    `${path} cannot be read any more, so agents are no longer told it. Put it back, or run \`countersign agent file rm ${path}\`.`,
  untrusted: (path: string) =>
    `${path} is marked as holding words of strangers, so agents are no longer told it. If it is yours, run \`countersign file trust ${path}\`.`,
} as const

const noticeOf = (state: ToldFileState, now: string | undefined): string => `${state} ${now ?? ''}`

async function keep(
  { records }: Pick<AssistantTransaction, 'records'>,
  path: string,
  data: JsonObject,
): Promise<StoredRecord> {
  const before = await records.get(collection, idOf(path))
  if (before) return records.replace(collection, before.id, before.version, data, null)
  const { records: present } = await records.list(collection, { limit: mostToldFiles })
  if (present.length >= mostToldFiles)
    throw new CountersignError('usage', `Agents are told ${mostToldFiles} files already.`, {
      next: 'Take one away with `countersign agent file rm <path>`.',
    })
  return records.insert(collection, idOf(path), data, null)
}

function acceptedIn({ data }: StoredRecord): Pick<Found, 'path' | 'sha256' | 'isPublic'> {
  const { path, sha256, isPublic } = data as { path: string; sha256: string; isPublic?: boolean }
  return { path, sha256, isPublic: isPublic === true }
}

function viewOf({
  record,
  path,
  sha256,
  isPublic,
  state,
}: Pick<Found, 'record' | 'path' | 'sha256' | 'isPublic' | 'state'>): ToldFile {
  return { path, sha256, isPublic, acceptedAt: record.updatedAt, state }
}

const idOf = (path: string): string => `file_${hashOf(path).slice(0, 32)}`

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function unreadable(path: string): CountersignError {
  return new CountersignError('not_found', `${path} cannot be read as a text of the workspace.`, {
    next: `Give the path of a text file in the workspace that is no link and has at most ${largestToldFile / 1024} KiB.`,
  })
}
