/**
 * Owns which runs began the work of a run, by the kernel's own rows: one before the other, and whoever made or set off
 * what began the first of them. A message or a model can add nothing to it.
 */
import { type RunId, uniqueOrigins, type WorkOrigin } from '@countersign/contract'
import { sql } from 'kysely'
import type { Db, LimitedDb } from '../store/store.ts'
import type { Ancestor } from './chain-names.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'

/** More runs before this one are never looked at; no work gets that far. */
const mostGenerations = 64

/** The run and those that began it, the first of them first. Looked up once for a caller, outside of any transaction. */
export async function ancestorsOf(
  caller: Caller,
  { store }: Pick<DispatchPorts, 'store'>,
): Promise<readonly Ancestor[]> {
  const { held, first } = caller
  caller.ancestors ??= first ? [first] : await store.single(held.operator, (db) => ancestry(db, held.id))
  return caller.ancestors
}

/** Everybody for whom a run works: itself, and whoever began the work. */
export async function originsOfRun(db: LimitedDb, run: RunId): Promise<WorkOrigin[]> {
  return originsOf(await ancestry(db, run))
}

/** Of the runs, and of those who made or set off what began them. Pure. */
export function originsOf(runs: readonly Ancestor[]): WorkOrigin[] {
  return uniqueOrigins(
    runs.flatMap(({ agent, goal, session_id: session, origins }) => [
      { agent, goal, session },
      ...(origins ?? []),
    ]),
  )
}

async function ancestry(db: Db | LimitedDb, run: RunId): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive line (id, parent, generation) as (
      select id, parent, 0 from runs where id = ${run}
      union all
      select before.id, before.parent, line.generation + 1 from runs as before
      join line on before.id = line.parent where line.generation < ${mostGenerations})
    select runs.id, runs.agent, runs.goal, runs.schedule, runs.about, runs.kind, runs.session_id, inputs.key,
      inputs.work -> 'origins' as origins
    from line join runs on runs.id = line.id join inputs on inputs.id = runs.input_id
    order by line.generation desc`.execute(db)
  return rows
}
