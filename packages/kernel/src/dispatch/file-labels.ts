/**
 * Owns what files are worth: what strangers wrote comes out of a file as untrusted, in any later run, and so does its
 * name; what was made from a secret comes out as that. A program is taken to read all of the workspace, and what it
 * changed is marked; where that is not known, all that it could change.
 */
import {
  type ApprovalSubject,
  type CallId,
  foreignFolderOf,
  isLook,
  isWithin,
  joinLabels,
  type Label,
  type Permit,
  type Resource,
  type RunId,
  type ToolResult,
} from '@countersign/contract'
import { type SqlBool, sql } from 'kysely'
import type { RunRow } from '../store/run-row.ts'
import { type Db, json, type LimitedDb, type Unit } from '../store/store.ts'
import type { EndedCall } from './call-rows.ts'
import { marksSeen, mayHide, unseenBy } from './hidden-files.ts'
import { type FileScopes, labelOfFiles, pathAndFolders } from './label-of-files.ts'

type Touched = Pick<ApprovalSubject, 'resources' | 'sandbox'>
type Traced = ToolResult['files']

export interface FileReads {
  readonly permit: Permit
  /** What the executor told of it; nothing where the end of the call was not seen. */
  readonly traced: Traced
}

/** What reading brings in, for each of the calls of a run. Asks the database only when something was read. */
export async function labelsRead(
  unit: Unit,
  run: RunId,
  reads: readonly FileReads[],
): Promise<(Label | null)[]> {
  const scopes = reads.map(({ permit, traced }) => scopesOf(permit.subject, traced))
  const places = scopes.flatMap(({ paths, found }) => [...paths, ...(found ?? [])])
  if (places.length === 0) return scopes.map((scope) => labelOfFiles(scope, { marks: [], own: [] }))
  const since = reads.map(({ permit }) => permit.seal.decidedAt)
  const known = await knownOf(unit.db, run, places, since.toSorted()[0] ?? unit.now.toISOString())
  const { isBusy, isCut, marks, own } = known
  return scopes.map((scope, index) => {
    // A mark that was taken away after the file may have been read still counts for the reading.
    const standing = marks.filter(
      ({ cleared_at }) => cleared_at === null || cleared_at.toISOString() >= (since[index] ?? ''),
    )
    const read = reads[index]
    const counted = read ? marksSeen(standing, read.permit.subject, read.traced) : standing
    const worth = labelOfFiles(scope, { marks: counted, own })
    const isInside = scope.paths.some((path) => !path.startsWith('/'))
    const doubts = [...(isBusy && isInside ? [beingWritten] : []), ...(isCut ? [tooManyMarks] : [])]
    return doubts.reduce<Label | null>((label, doubt) => joinLabels(label ?? doubt, doubt), worth)
  })
}

/** What reading each of the paths would bring in now; null where nothing is known against it. */
export async function worthOf(db: Db | LimitedDb, paths: readonly string[]): Promise<(Label | null)[]> {
  if (paths.length === 0) return []
  const { marks, own } = await knownOf(db, '' as RunId, paths, new Date().toISOString())
  const standing = marks.filter(({ cleared_at }) => cleared_at === null)
  return paths.map((path) => labelOfFiles({ paths: [path], found: [] }, { marks: standing, own }))
}

/** The same for whoever read them a moment ago: where a program may be changing them, or the marks are too many, they are in doubt. */
export async function filesWorth(db: LimitedDb, paths: readonly string[]): Promise<(Label | null)[]> {
  if (paths.length === 0) return []
  const { isBusy, isCut, marks, own } = await knownOf(db, '' as RunId, paths, new Date().toISOString())
  const standing = marks.filter(({ cleared_at }) => cleared_at === null)
  const doubts = [...(isBusy ? [beingWritten] : []), ...(isCut ? [tooManyMarks] : [])]
  return paths.map((path) =>
    doubts.reduce<Label | null>(
      (label, doubt) => joinLabels(label ?? doubt, doubt),
      labelOfFiles({ paths: [path], found: [] }, { marks: standing, own }),
    ),
  )
}

/** What is hidden from a call, by what is marked now. */
export async function unseenFor(
  db: Db,
  resources: readonly Resource[],
): Promise<Pick<ApprovalSubject, 'hidden' | 'own'>> {
  if (!mayHide(resources)) return { hidden: [], own: [] }
  const marks = await db
    .selectFrom('file_labels')
    .select(['path', 'label'])
    .where('cleared_at', 'is', null)
    .where(isUnder('.'))
    .orderBy('path')
    .limit(mostMarks)
    .execute()
  const own = await db
    .selectFrom('own_paths')
    .select('path')
    .where(isUnder('.'))
    .orderBy('path')
    .limit(mostMarks)
    .execute()
  return unseenBy(resources, { marks, own: own.map(({ path }) => path) })
}

export interface FileWrites {
  readonly call: CallId
  readonly subject: Touched
  /** What the call was made from, and what it brought. */
  readonly label: Label
  readonly outcome: EndedCall['outcome']
  readonly traced: Traced
  /** It takes over what a program changed, or brings back what was there. A program covers no marks. */
  readonly coversNothing: boolean
  /** The call that this one takes back. */
  readonly undoes: CallId | null
}

/**
 * Marks what the call wrote, or may have written, with the label it was written under. A write that went well covers
 * the mark of what was there; taking such a write back brings that mark back.
 */
export async function keepLabels(unit: Unit, writes: FileWrites): Promise<void> {
  const { call, subject, label, outcome, coversNothing, undoes } = writes
  if (outcome === 'refused') return
  const written = writtenBy(subject)
  if (outcome === 'ok' && written.length > 0 && !coversNothing) await cover(unit, call, written)
  if (isRemembered(label)) {
    const changed = mayWriteAnywhere(subject) ? (writes.traced?.changed ?? ['.']) : []
    await markPaths(unit, [...written, ...changed], label)
  }
  if (undoes && written.length > 0) {
    await uncover(unit, undoes)
    await markAgain(unit, undoes, written)
  }
}

/** What a file must say of itself when it is read again; that it is private goes for every file. */
function isRemembered({ integrity, confidentiality }: Label): boolean {
  return integrity === 'untrusted' || confidentiality === 'secret'
}

/** The run ends in the middle of its calls, and nobody will ever look at what they did. */
export async function markAbandoned(unit: Unit, run: Pick<RunRow, 'id' | 'label'>): Promise<void> {
  const calls = await unit.db
    .selectFrom('calls')
    .select('permit')
    .where('run_id', '=', run.id)
    .where('state', '=', 'intended')
    .execute()
  const subjects = calls.flatMap(({ permit }) => permit?.subject ?? [])
  const label = joinLabels(run.label, beingWritten)
  if (subjects.some(mayWriteAnywhere)) await markPaths(unit, ['.'], label)
  const strange = isRemembered(run.label) ? subjects : subjects.filter(mayWriteStrangersWords)
  await markPaths(unit, strange.flatMap(writtenBy), label)
}

/**
 * Marks the paths, each for all that is in it; what the operator said of them before does not hold any more. A mark
 * that is there stays beside the new one, since what it was put on may still be there.
 */
export async function markPaths(unit: Unit, paths: readonly string[], label: Label): Promise<void> {
  const marked = [...new Set(paths)]
  if (marked.length === 0) return
  await unit.db
    .deleteFrom('own_paths')
    .where((where) => where.or(marked.map((path) => where.or([isAt(path), isUnder(path)]))))
    .execute()
  const own = await ownAround(unit.db, marked)
  // Packages are never trusted by themselves, so a mark on them would say nothing where the operator said nothing.
  const kept = marked.filter(
    (path) =>
      foreignFolderOf(path)?.kind !== 'packages' || pathAndFolders(path).some((at) => own.includes(at)),
  )
  if (kept.length === 0) return
  const there = await unit.db
    .selectFrom('file_labels')
    .select(['path', 'label'])
    .where('path', 'in', kept)
    .where('cleared_at', 'is', null)
    .forUpdate()
    .execute()
  const before = new Map(there.map((mark) => [mark.path, mark.label]))
  await unit.db
    .insertInto('file_labels')
    .values(
      kept.map((path) => ({
        operator_id: unit.operator,
        path,
        label: json(joinLabels(before.get(path) ?? label, label)),
        marked_at: unit.now,
      })),
    )
    // Another run may have marked the same file meanwhile; the mark of the later write stands.
    .onConflict((conflict) =>
      conflict
        .columns(['operator_id', 'path'])
        .where('cleared_at', 'is', null)
        .doUpdateSet((mark) => ({
          label: mark.ref('excluded.label'),
          marked_at: mark.ref('excluded.marked_at'),
        })),
    )
    .execute()
}

async function cover(unit: Unit, call: CallId, written: readonly string[]): Promise<void> {
  await unit.db
    .updateTable('file_labels')
    .set({ cleared_by: call, cleared_at: unit.now })
    .where('path', 'in', [...written])
    .where('cleared_at', 'is', null)
    .execute()
}

/** What a write covered is there again. */
async function uncover(unit: Unit, undone: CallId): Promise<void> {
  const covered = await unit.db
    .deleteFrom('file_labels')
    .where('cleared_by', '=', undone)
    .returning(['path', 'label'])
    .execute()
  for (const { path, label } of covered) await markPaths(unit, [path], label)
}

/** What comes back is what stood there before the undone call, so the marks of then hold, whoever took them away since. */
async function markAgain(unit: Unit, undone: CallId, written: readonly string[]): Promise<void> {
  const call = await unit.db
    .selectFrom('calls')
    .select('intended_at')
    .where('id', '=', undone)
    .executeTakeFirst()
  if (!call?.intended_at) return
  const around = [...new Set(written.flatMap(pathAndFolders))]
  const gone = await unit.db
    .selectFrom('file_labels')
    .select(['path', 'label'])
    .where('cleared_at', '>=', call.intended_at)
    .where((where) => where.or([where('path', 'in', around), ...written.map(isUnder)]))
    .execute()
  for (const { path, label } of gone) {
    const isInside = written.some((each) => isWithin(path, each))
    const back = isInside ? [path] : written.filter((each) => isWithin(each, path))
    await markPaths(unit, back, label)
  }
}

const mostMarks = 10_000
const beingWritten: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['a program that is running'],
}

/** Some marks were not read, and any file may bear one of them. */
const tooManyMarks: Label = {
  integrity: 'untrusted',
  confidentiality: 'secret',
  sources: ['the workspace'],
}

interface Known {
  /** A program of another run is at work, and nobody knows yet what it wrote or from what. */
  readonly isBusy: boolean
  /** There may be more marks than were read. */
  readonly isCut: boolean
  readonly marks: readonly { path: string; label: Label; cleared_at: Date | null }[]
  readonly own: readonly string[]
}

/** One statement, which sees one moment: a program that has ended has left its marks. */
async function knownOf(
  db: Db | LimitedDb,
  run: RunId,
  places: readonly string[],
  since: string,
): Promise<Known> {
  const around = [...new Set(places.flatMap(pathAndFolders))]
  const under = [...new Set(places)].map((folder) => sql`or ${isUnder(folder)}`)
  const { rows } = await sql<KnownRow>`
    select 'program' as kind, '' as path, null::json as label, null::timestamptz as cleared_at, calls.permit
    from calls join runs on runs.id = calls.run_id
    where calls.state = 'intended' and calls.run_id <> ${run} and runs.state <> 'stopped'
    union all
    (select 'mark', path, label, cleared_at, null from file_labels
      where (cleared_at is null or cleared_at >= ${new Date(since)})
        and (path = any(${around}) ${sql.join(under, sql` `)}) limit ${mostMarks})
    union all
    select 'own', path, null, null, null from own_paths where path = any(${around})`.execute(db)
  const marks = rows.flatMap((row) => (row.kind === 'mark' ? { ...row, label: row.label as Label } : []))
  const begun = rows.flatMap(({ permit }) => permit?.subject ?? [])
  const written = begun.filter(mayWriteStrangersWords).flatMap(writtenBy)
  return {
    isBusy: begun.some(mayWriteAnywhere),
    isCut: marks.length === mostMarks,
    // Their marks come with their end, and what they wrote may be there before.
    marks: [...marks, ...written.map((path) => ({ path, label: beingWritten, cleared_at: null }))],
    own: rows.flatMap(({ kind, path }) => (kind === 'own' ? path : [])),
  }
}

/** They bring back what was there, whoever wrote it. */
const restorers: ReadonlySet<string> = new Set(['restore_file', 'restore_files', 'restore_workspace'])

/** A write that was led to by strangers, brings something in, or takes along what it reads or moves. */
function mayWriteStrangersWords({ tool, provenance, egress, resources }: ApprovalSubject): boolean {
  const takes = resources.some(
    (resource) => resource.type === 'file' && (resource.op === 'read' || resource.op === 'delete'),
  )
  return provenance.integrity === 'untrusted' || egress !== 'none' || takes || restorers.has(tool.name)
}

interface KnownRow {
  readonly kind: 'program' | 'mark' | 'own'
  readonly path: string
  readonly label: Label | null
  readonly cleared_at: Date | null
  readonly permit: Permit | null
}

async function ownAround(db: Db, places: readonly string[]): Promise<string[]> {
  const around = [...new Set(places.flatMap(pathAndFolders))]
  const rows = await db.selectFrom('own_paths').select('path').where('path', 'in', around).execute()
  return rows.map(({ path }) => path)
}

export const isAt = (path: string) => sql<SqlBool>`path = ${path}`
/** Below a folder, on the same side of the border of the workspace. */
export const isUnder = (folder: string) =>
  folder === '.'
    ? sql<SqlBool>`not starts_with(path, '/')`
    : sql<SqlBool>`starts_with(path, ${folder === '/' ? '/' : `${folder}/`})`

/** The files of the workspace that a call says it changes. Pure, as what follows. */
export function writtenBy({ resources }: Touched): string[] {
  return resources.flatMap((resource) =>
    resource.type === 'file' &&
    resource.root === 'workspace' &&
    (resource.op === 'write' || resource.op === 'delete')
      ? [resource.path]
      : [],
  )
}

/** A program may change more than it says, unless its sandbox forbids it or its changes are held. */
export function mayWriteAnywhere({ resources, sandbox }: Touched): boolean {
  const programs = resources.filter((resource) => resource.type === 'exec')
  const isHeld = programs.some(({ view }) => view)
  return programs.length > 0 && !isHeld && !sandbox.startsWith('read-only:')
}

/** What a call reads, by what it says and what was seen of it. */
export function scopesOf({ resources }: Touched, traced: Traced): FileScopes {
  const isOpaque = resources.some((resource) => resource.type === 'exec' && resource.uninspectable)
  const found = traced === undefined ? (isOpaque ? null : []) : traced.found
  // What a program reads cannot be followed; the files that its permit names are a part of it.
  if (resources.some(({ type }) => type === 'exec')) return { paths: ['.'], found }
  // Whoever deletes here and writes there has moved what it did not say that it reads.
  const moves = resources.some((resource) => resource.type === 'file' && resource.op === 'write')
  const paths = resources.flatMap((resource) => {
    if (resource.type !== 'file') return []
    const looks = isLook(resource.op)
    return looks || (moves && resource.op === 'delete') ? [resource.path] : []
  })
  return { paths, found }
}
