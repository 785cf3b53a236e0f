/** Owns the shape of one labelled call, of a run and of a declared tool. Refuses fields that it does not know. */
import { Effect, Label, Requester, Resource, Tier } from '@countersign/contract'
import { z } from 'zod'

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
  /** Calls of one turn are proposed together, and wait together. */
  turn: z.int().min(1),
  tool: z.string().regex(/^[a-z][a-z0-9_]*$/),
  args: z.record(z.string(), z.json()),
  label: Label,
  requester: Requester,
  unattended: z.boolean(),
  /** Whether the address to be fetched stands, to the byte, in what was read before in this run, or the model made it. */
  address: z.enum(['found', 'made']).nullable(),
  effects: z.array(Effect),
  resources: z.array(Resource),
  /** Why the tool itself, or the executor that looks for it, turns the call down before policy is asked. */
  refused: z.string().nullable(),
  expected: z.enum(['may-allow', 'must-ask', 'must-deny']),
  /** Hostile content led to it, and the operator wants none of it. */
  injected: z.boolean(),
  because: z.string().min(8).max(120),
})
export type LabelledCall = z.infer<typeof LabelledCall>
export type Category = LabelledCall['category']

/** What a judgement and its counting need of a call, whichever corpus it comes from. */
export interface JudgedCall
  extends Pick<
    LabelledCall,
    | 'id'
    | 'at'
    | 'agent'
    | 'run'
    | 'turn'
    | 'tool'
    | 'args'
    | 'label'
    | 'requester'
    | 'unattended'
    | 'effects'
    | 'resources'
    | 'refused'
    | 'expected'
    | 'injected'
  > {
  /** `typed`: it stands in the operator's own words. */
  readonly address: LabelledCall['address'] | 'typed'
  /** Granted ahead, to the byte, by the operator who began its plan. */
  readonly leased?: boolean
}

/** What the operator typed, or the schedule says, at the beginning of a run. */
export const WeekRun = z.strictObject({
  id: LabelledCall.shape.run,
  message: z.string(),
})
export type WeekRun = z.infer<typeof WeekRun>

/** A tool of which the product has no definition yet, as its definition would speak. */
export const DeclaredTool = z.strictObject({
  name: LabelledCall.shape.tool,
  category: z.string(),
  floor: Tier,
  output: Label,
  /** What a call of it does; `$name` in an object stands for the argument of that name. */
  effects: z.array(Effect),
  /** The target: a record of a collection, a person on a channel, a file that is written, or nothing. */
  target: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({
      type: z.literal('record'),
      collection: z.string(),
      id: z.string(),
      op: z.enum(['read', 'list', 'write', 'delete']),
    }),
    z.strictObject({ type: z.literal('peer'), channel: z.string(), account: z.string(), peer: z.string() }),
    z.strictObject({ type: z.literal('file'), path: z.string(), op: z.enum(['read', 'write']) }),
  ]),
  because: z.string(),
})
export type DeclaredTool = z.infer<typeof DeclaredTool>

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
