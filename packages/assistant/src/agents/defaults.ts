/**
 * Owns the agents that are laid out on the first start, and bringing them up to date. Refuses to touch one that the
 * operator changed, and to bring one back that they removed unless they ask for it.
 */
import {
  AgentId,
  AgentSettings,
  type AgentsResynced,
  canonicalText,
  type JsonObject,
  type Records,
} from '@countersign/contract'
import { z } from 'zod'
import { agentsCollection, settingsCollection } from './collections.ts'
import shipped from './default-agents.json' with { type: 'json' }

export interface DefaultAgent {
  readonly id: string
  readonly settings: AgentSettings
}

export const defaultAgents: readonly DefaultAgent[] = z
  .array(AgentSettings.extend({ id: AgentId }))
  .parse(shipped)
  .map(({ id, ...settings }) => ({ id, settings }))

export type ResyncResult = Omit<AgentsResynced, 'ledger'>

const loadedId = 'loaded'

/** Lays out those that were never laid out before; for every start. */
export function loadDefaults(records: Records, agents = defaultAgents): Promise<ResyncResult> {
  return bring(records, agents, false)
}

/** The same, and brings the others up to date; when the operator asks. */
export function resyncDefaults(records: Records, agents = defaultAgents): Promise<ResyncResult> {
  return bring(records, agents, true)
}

/** Whether a record of one of them is no longer what was laid out. */
export async function isChanged(records: Records, id: string, data: JsonObject): Promise<boolean> {
  const laidOut = (await loadedSettings(records)).settings[id]
  return laidOut !== undefined && canonicalText(laidOut) !== canonicalText(data)
}

async function bring(
  records: Records,
  agents: readonly DefaultAgent[],
  update: boolean,
): Promise<ResyncResult> {
  const came: ResyncResult = { added: [], updated: [], unchanged: [], kept: [] }
  const loaded = await loadedSettings(records)
  const after: Record<string, JsonObject> = { ...loaded.settings }
  for (const { id, settings } of agents) {
    const data = settings as JsonObject
    const laidOut = loaded.settings[id]
    if (laidOut !== undefined && !update) {
      came.unchanged.push(id)
      continue
    }
    const present = await records.get(agentsCollection, id)
    if (!present) {
      await records.insert(agentsCollection, id, data, null)
      came.added.push(id)
    } else if (laidOut === undefined || canonicalText(present.data) !== canonicalText(laidOut)) {
      came.kept.push(id)
      continue
    } else if (canonicalText(data) === canonicalText(laidOut)) {
      came.unchanged.push(id)
    } else {
      await records.replace(agentsCollection, id, present.version, data, null)
      came.updated.push(id)
    }
    after[id] = data
  }
  if (canonicalText(after) === canonicalText(loaded.settings)) return came
  if (loaded.version === undefined) await records.insert(settingsCollection, loadedId, after, null)
  else await records.replace(settingsCollection, loadedId, loaded.version, after, null)
  return came
}

async function loadedSettings(
  records: Records,
): Promise<{ settings: Readonly<Record<string, JsonObject>>; version: number | undefined }> {
  const record = await records.get(settingsCollection, loadedId)
  return {
    settings: (record?.data ?? {}) as Readonly<Record<string, JsonObject>>,
    version: record?.version,
  }
}
