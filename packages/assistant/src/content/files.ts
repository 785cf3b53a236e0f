/** Owns the pieces of files of the workspace: those of a file that was changed are made anew, those of one that is gone leave. */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import { contentLimits } from './limits.ts'
import { dropPieces, putPieces } from './pieces.ts'

/** The texts of the workspace, whoever wrote them. Refuses what is hidden, too large or no text. */
export interface WorkspaceTexts {
  /** Another version for every other content. */
  list(): Promise<readonly FileVersion[]>
  read(path: string): Promise<WorkspaceText | undefined>
  versionOf(path: string): Promise<string | undefined>
}

export interface FileVersion {
  readonly path: string
  readonly version: string
}

export interface WorkspaceText {
  /** Null for what is no text. */
  readonly text: string | null
  readonly version: string
  readonly at: Date
}

/** What is to be done so that the index says what the files say. */
export interface FileChanges {
  readonly gone: readonly string[]
  readonly changed: readonly string[]
}

export async function findFileChanges(
  db: LimitedDb,
  operator: OperatorId,
  present: readonly FileVersion[],
): Promise<FileChanges> {
  const { rows } = await sql<FileVersion>`
    select path, version from content_files where operator_id = ${operator}`.execute(db)
  const known = new Map(rows.map(({ path, version }) => [path, version]))
  const there = new Set(present.map(({ path }) => path))
  return {
    gone: [...known.keys()].filter((path) => !there.has(path)),
    changed: present
      .filter(({ path, version }) => known.get(path) !== version)
      .map(({ path }) => path)
      .slice(0, contentLimits.files),
  }
}

export async function putFile(
  db: LimitedDb,
  operator: OperatorId,
  path: string,
  { text, version, at }: WorkspaceText,
): Promise<void> {
  await putPieces(db, operator, {
    collection: 'files',
    source: path,
    title: path,
    text: text ?? '',
    at,
    // Looked up when it is found: a mark may come and go while the file stays as it is.
    label: null,
  })
  await sql`
    insert into content_files (operator_id, path, version) values (${operator}, ${path}, ${version})
    on conflict (operator_id, path) do update set version = excluded.version`.execute(db)
}

export async function dropFiles(
  db: LimitedDb,
  operator: OperatorId,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) await dropPieces(db, operator, 'files', path)
  await sql`delete from content_files
    where operator_id = ${operator} and path = any (${paths}::text[])`.execute(db)
}

export async function keptVersions(
  db: LimitedDb,
  operator: OperatorId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<FileVersion>`
    select path, version from content_files
    where operator_id = ${operator} and path = any (${paths}::text[])`.execute(db)
  return new Map(rows.map(({ path, version }) => [path, version]))
}
