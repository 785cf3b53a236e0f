/**
 * Owns where work comes from: the runs that began it, one before the other. Work has no tools that the work which began
 * it did not have, and does not begin other work without end.
 */
import type { RunId, ToolCatalogue } from '@countersign/contract'
import type { LimitedDb, RunRow } from '@countersign/kernel'
import { sql } from 'kysely'
import { agentTools } from './agent-tools.ts'
import type { KnownAgent } from './agents.ts'
import { goneAgent } from './gone-agent.ts'

export interface Lineage {
  /** The agents of the runs that came before, each once. */
  readonly agents: readonly string[]
  /** How many runs came before. */
  readonly generations: number
}

export type Restrict = (all: ToolCatalogue) => ToolCatalogue

/** More are never looked at; no work gets that far. */
const mostLooked = 64

export async function lineageOf(db: LimitedDb, run: RunId): Promise<Lineage> {
  const { rows } = await sql<{ agent: string; generation: number }>`
    with recursive line (parent, agent, generation) as (
      select parent, agent, 0 from runs where id = ${run}
      union all
      select before.parent, before.agent, line.generation + 1 from runs as before
      join line on before.id = line.parent where line.generation < ${mostLooked})
    select agent, generation from line where generation > 0`.execute(db)
  return { agents: [...new Set(rows.map(({ agent }) => agent))], generations: rows.length }
}

/** The tools that all of those had, and for a plan also those of its own agent. */
export async function inheritedTools(
  run: Pick<RunRow, 'id' | 'agent' | 'parent'>,
  look: {
    readonly lineage: (run: RunId) => Promise<Lineage>
    readonly agent: (id: string) => Promise<KnownAgent | undefined>
  },
): Promise<Restrict> {
  const before = run.parent === null ? [] : (await look.lineage(run.id)).agents
  const ids = new Set(run.agent === 'plan' ? [run.agent, ...before] : before)
  const found = await Promise.all(
    [...ids].map(async (id) => {
      const agent = await look.agent(id)
      return agent?.enabled ? agent : goneAgent(id)
    }),
  )
  return (all) => found.reduce((left, agent) => agentTools(agent, left).catalogue, all)
}
