/** Owns the shape of what the operator's own words ask for, as a model that saw nothing else listed it. */
import { z } from 'zod'
import { AskedForId, RunId, SessionId } from './ids.ts'

/** Kinds of acts as people speak of them. Policy says which tools each of them may mean. */
export const AskedAct = z.enum([
  'change_files',
  'commit',
  'branch',
  'add_tasks',
  'add_notes',
  'add_events',
  'add_bookmarks',
  'make_tables',
  'add_rows',
  'change_rows',
])
export type AskedAct = z.infer<typeof AskedAct>

export const AskedItem = z.strictObject({
  act: AskedAct,
  /** A path or a folder of the workspace, or a table; null where none was named. */
  target: z.string().min(1).max(200).nullable(),
  count: z.int().min(1).max(20),
})
export type AskedItem = z.infer<typeof AskedItem>

export const mostAskedItems = 8

export const AskedForView = z.strictObject({
  id: AskedForId,
  session: SessionId,
  run: RunId,
  items: z.array(AskedItem),
  at: z.string(),
  takenBackAt: z.string().nullable(),
})
export type AskedForView = z.infer<typeof AskedForView>
