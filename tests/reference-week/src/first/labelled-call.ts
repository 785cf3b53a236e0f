/** Owns the written form of the first corpus: a labelled call, a run, and whose week it is. Refuses fields that it does not know. */
import { Effect, Label, Requester, Resource } from '@countersign/contract'
import { z } from 'zod'
import { Expected, ToolName } from '../call.ts'

export const categories = [
  'mail',
  'calendar',
  'web',
  'files',
  'shell',
  'bookkeeping',
  'messaging',
  'admin',
] as const

export const LabelledCall = z.strictObject({
  id: z.string().regex(/^[wh]\d{4}$/),
  at: z.iso.datetime(),
  category: z.enum(categories),
  goal: z.string().min(1),
  agent: z.string().min(1),
  run: z.string().regex(/^[wh]-run-\d{3}$/),
  turn: z.int().min(1),
  tool: ToolName,
  args: z.record(z.string(), z.json()),
  label: Label,
  requester: Requester,
  unattended: z.boolean(),
  address: z.enum(['found', 'made']).nullable(),
  effects: z.array(Effect),
  resources: z.array(Resource),
  refused: z.string().nullable(),
  expected: Expected,
  injected: z.boolean(),
  because: z.string().min(8).max(120),
})
export type LabelledCall = z.infer<typeof LabelledCall>

/** What the operator typed, or the schedule says, at the beginning of a run. */
export const WeekRun = z.strictObject({
  id: LabelledCall.shape.run,
  message: z.string(),
})
export type WeekRun = z.infer<typeof WeekRun>

/** Whose week it is, and what is there for a look to see. */
export const Person = z.strictObject({
  name: z.string(),
  workspace: z.string(),
  repositories: z.array(z.string()),
  /** Too large to be carried in an undo. */
  largeFiles: z.array(z.string()),
  /** Folders besides those that a path in the corpus implies. */
  folders: z.array(z.string()),
  /** What the operator keeps in person: the people and addresses that they wrote down before the week. */
  contacts: z.array(z.string()),
  bookmarks: z.array(z.string()),
  /** Hosts that the operator gave a key for. */
  keys: z.array(z.string()),
  tables: z.record(z.string(), z.array(z.string())),
})
export type Person = z.infer<typeof Person>

export const CorpusFile = z.strictObject({
  version: z.int().min(1),
  mix: z.record(z.enum(categories), z.int()),
  week: Person,
  holdout: Person,
})
export type CorpusFile = z.infer<typeof CorpusFile>
