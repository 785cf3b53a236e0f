/** Owns the form in which entries of a calendar server go between executor and gateway. Every word of one is a stranger's. */
import { SyncKind } from '@countersign/contract'
import { z } from 'zod'

export const syncLimits = {
  collections: 20,
  /** In one collection. */
  entries: 5_000,
  /** Fetched with one call. */
  fetched: 50,
  /** Changes in one call. */
  pushed: 20,
  /** Of one series, within the window that is looked at. */
  occurrences: 100,
  /** Of one event or contact as the server keeps it. */
  entryBytes: 262_144,
} as const

const href = z.string().min(1).max(1_000)
const etag = z.string().min(1).max(300)

/** Fields of an event or a contact in the words of our records. */
export const SyncedFields = z.record(
  z.string().max(20),
  z.union([z.string().max(10_000), z.number(), z.boolean()]),
)
export type SyncedFields = z.infer<typeof SyncedFields>

export const ServerCollection = z.strictObject({
  href,
  name: z.string().max(200),
  kind: SyncKind,
  /** What the server calls this state of it; null where it has no name for states. */
  token: z.string().max(2_000).nullable(),
  /** All entries are listed, and what is not among them is gone. Otherwise only what changed is. */
  whole: z.boolean(),
  entries: z.array(z.strictObject({ href, etag })).max(syncLimits.entries),
  gone: z.array(href).max(syncLimits.entries),
})
export type ServerCollection = z.infer<typeof ServerCollection>

export const ServerListing = z.strictObject({
  collections: z.array(ServerCollection).max(syncLimits.collections),
})
export type ServerListing = z.infer<typeof ServerListing>

export const ServerEntry = z.strictObject({
  /** Which occurrence of a series it is, as the server names it; empty for what does not repeat. */
  recurrence: z.string().max(40),
  /** All but these fields are those that the entries have in common. */
  alike: z.boolean(),
  fields: SyncedFields,
})

export const ServerResource = z.strictObject({
  href,
  etag,
  uid: z.string().max(500),
  /** Others are invited or invited the operator: whoever changes it may have the server tell them. */
  shared: z.boolean(),
  repeats: z.boolean(),
  /** Why it cannot be shown, or not wholly; null where it can. */
  problem: z.string().max(300).nullable(),
  common: SyncedFields,
  entries: z.array(ServerEntry).max(syncLimits.occurrences),
})
export type ServerResource = z.infer<typeof ServerResource>

export const FetchedEntries = z.strictObject({
  resources: z.array(ServerResource).max(syncLimits.fetched),
  /** Asked for, and no longer there. */
  gone: z.array(href).max(syncLimits.fetched),
})
export type FetchedEntries = z.infer<typeof FetchedEntries>

export const EntryChange = z.strictObject({
  kind: SyncKind,
  action: z.enum(['write', 'delete']),
  href,
  /** The state that the change was made on; null where the entry is new. */
  etag: etag.nullable(),
  uid: z.string().min(1).max(500),
  recurrence: z.string().max(40),
  /** Whoever decided about it knew that others may be told. */
  others: z.boolean(),
  /** What people call it. */
  title: z.string().max(300),
  set: SyncedFields,
  unset: z.array(z.string().max(20)).max(20),
})
export type EntryChange = z.infer<typeof EntryChange>

export const PushedEntry = z.discriminatedUnion('kind', [
  /** It is as it was wanted. Without a tag nobody knows yet in which state that is. */
  z.strictObject({ kind: z.literal('written'), etag: etag.nullable() }),
  /** The server has another state of it: nothing was written. */
  z.strictObject({ kind: z.literal('moved') }),
  /** Others may be told, and whoever decided did not know: nothing was written. */
  z.strictObject({ kind: z.literal('shared') }),
  z.strictObject({ kind: z.literal('failed'), reason: z.string().max(500) }),
])
export type PushedEntry = z.infer<typeof PushedEntry>

export const PushedEntries = z.strictObject({ changes: z.array(PushedEntry).max(syncLimits.pushed) })

/** Between these days occurrences of a series are told. */
export interface SyncWindow {
  readonly from: string
  readonly to: string
}

export function wholeFields(
  { common }: Pick<ServerResource, 'common'>,
  { alike, fields }: z.infer<typeof ServerEntry>,
): SyncedFields {
  return alike ? { ...common, ...fields } : fields
}
