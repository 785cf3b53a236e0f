/**
 * Owns where work comes from: the runs that began it, one before the other. Work has no tools that the work which began
 * it did not have, and does not begin other work without end.
 */
import { type RunId, schedulesCollection, type ToolCatalogue } from '@countersign/contract'
import type { LimitedDb, RunRow } from '@countersign/kernel'
import { sql } from 'kysely'
import { agentTools } from './agent-tools.ts'
import type { KnownAgent } from './agents.ts'
import { goneAgent } from './gone-agent.ts'

export interface Lineage {
  /** The agents of the runs that came before, and those for whose schedules a plan is carried out, each once. */
  readonly agents: readonly string[]
  /** How many runs came before. */
  readonly generations: number
}

export type Restrict = (all: ToolCatalogue) => ToolCatalogue

/** More are never looked at; no work gets that far. */
const mostLooked = 64
/** Stands for whoever a schedule named that is gone: nobody knows what its work was held to. */
const nobody = 'nobody'

export async function lineageOf(db: LimitedDb, run: RunId): Promise<Lineage> {
  // A plan that a schedule carries out has an agent of its own, and is the work of the one that the schedule names.
  const { rows } = await sql<{ agent: string; generation: number; ordered: string | null }>`
    with recursive line (operator_id, parent, agent, schedule, generation) as (
      select operator_id, parent, agent, schedule, 0 from runs where id = ${run}
      union all
      select before.operator_id, before.parent, before.agent, before.schedule, line.generation + 1 from runs as before
      join line on before.id = line.parent where line.generation < ${mostLooked})
    select line.agent, generation,
      case when line.agent = 'plan' and schedule is not null then coalesce(r.data->>'agent', ${nobody}) end as ordered
    from line left join records r on r.operator_id = line.operator_id and r.collection = ${schedulesCollection}
      and r.id = schedule`.execute(db)
  const before = rows.filter(({ generation }) => generation > 0)
  const agents = [...before.map(({ agent }) => agent), ...rows.flatMap(({ ordered }) => ordered ?? [])]
  return { agents: [...new Set(agents)], generations: before.length }
}

type Begun = Pick<RunRow, 'schedule'> & Partial<Pick<RunRow, 'parent'>>

/** What a run is held to besides its own agent. */
export function hasLineage({ parent = null, schedule }: Begun): boolean {
  return parent !== null || schedule !== null
}

/** The ids of all for whom the work of a run is done: its own agent first, then those that began it, each once. */
export async function servedAgents(
  db: LimitedDb,
  run: Begun & Pick<RunRow, 'id' | 'agent'>,
): Promise<ReadonlySet<string>> {
  return new Set([run.agent, ...(hasLineage(run) ? (await lineageOf(db, run.id)).agents : [])])
}

/** The tools that all of those had, and for a plan also those of its own agent. */
export async function inheritedTools(
  run: Pick<RunRow, 'id' | 'agent' | 'parent' | 'schedule'>,
  look: {
    readonly lineage: (run: RunId) => Promise<Lineage>
    readonly agent: (id: string) => Promise<KnownAgent | undefined>
  },
): Promise<Restrict> {
  const before = hasLineage(run) ? (await look.lineage(run.id)).agents : []
  const ids = new Set(run.agent === 'plan' ? [run.agent, ...before] : before)
  const found = await Promise.all(
    [...ids].map(async (id) => {
      const agent = await look.agent(id)
      return agent?.enabled ? agent : goneAgent(id)
    }),
  )
  return (all) => found.reduce((left, agent) => agentTools(agent, left).catalogue, all)
}
