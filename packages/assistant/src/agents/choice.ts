/** Owns the record that says who was chosen to answer where nobody is named. */
import type { JsonObject, Records } from '@countersign/contract'
import { settingsCollection } from './collections.ts'

export interface AnsweringChoice {
  /** By id; left out, the assistant. */
  readonly agent?: string | undefined
  /** By id; it may be gone by now. */
  readonly team?: string | undefined
  readonly byKeywords?: boolean | undefined
}

const chosenId = 'chosen'

export async function choiceIn(records: Records): Promise<AnsweringChoice> {
  const { agent, team, byKeywords } = (await records.get(settingsCollection, chosenId))?.data ?? {}
  return {
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(typeof team === 'string' ? { team } : {}),
    ...(byKeywords === true ? { byKeywords } : {}),
  }
}

export async function keepChoice(records: Records, choice: AnsweringChoice): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(choice).filter(([, value]) => value !== undefined && value !== false),
  ) as JsonObject
  const before = await records.get(settingsCollection, chosenId)
  if (before) await records.replace(settingsCollection, chosenId, before.version, data, null)
  else await records.insert(settingsCollection, chosenId, data, null)
}
