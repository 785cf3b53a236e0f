/**
 * Takes a change of records back: puts earlier states in place, and removes what was new. Refuses records that have
 * changed since, and rows without their table. Not offered to models.
 */
import { entriesPrefix, Label, type StoredRecord, vectorCollections } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { failed, succeeded } from '../result.ts'
import { recordEffect, recordResource } from './effects.ts'
import { recordLabel, tellingOf } from './kept-label.ts'
import { counted } from './record-lines.ts'
import { contentHashOf, countsOf, type RecordChange, recordUndo, restoring } from './undo.ts'

const State = z.strictObject({
  data: z.record(z.string(), z.json()),
  label: Label.nullable(),
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

const RestoredRecord = z.strictObject({
  collection: z.string(),
  id: z.string(),
  /** What must be there now: the hash of its content, or nothing. */
  expected: z.union([z.literal('absent'), z.string().regex(/^[0-9a-f]{64}$/)]),
  record: State.nullable(),
})
type RestoredRecord = z.infer<typeof RestoredRecord>

export const restoreRecords = defineTool({
  name: restoring,
  version: '3',
  description: 'Put earlier states of records back.',
  input: z.strictObject({ records: z.array(RestoredRecord).min(1) }),
  category: 'records',
  group: 'core',
  tags: ['undo', 'revert'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  hidden: true,
  runs: 'gateway',
  undo: restoring,
  describe: ({ records }) => `Put ${counted(records.length, 'record', 'records')} back`,
  preview: ({ records }) => ({
    kind: 'table',
    title: 'Put back',
    columns: ['Record', 'Becomes'],
    rows: records.map(({ collection, id, record }) => [
      `${collection} ${id}`,
      record ? JSON.stringify(record.data) : '(removed)',
    ]),
  }),
  async effects({ records }, context) {
    const looked = await findPresent(records, context)
    if (looked.kind === 'changed') return { kind: 'invalid', reason: looked.reason }
    return {
      kind: 'found',
      resources: looked.present.map((present, index) => {
        const { collection = '', id = '', record = null } = records[index] ?? {}
        return recordResource(collection, id, record ? 'write' : 'delete', present?.version ?? null)
      }),
      effects: [...Map.groupBy(records, ({ collection }) => collection)].map(([collection, theirs]) =>
        recordEffect('write', `${counted(theirs.length, 'record', 'records')} of ${collection}`),
      ),
    }
  },
  async run({ records }, context) {
    const looked = await findPresent(records, context)
    if (looked.kind === 'changed') return failed(looked.reason)
    const changes: RecordChange[] = []
    for (const [index, { collection, id, record }] of records.entries()) {
      const before = looked.present[index] ?? null
      if (!record && before) await context.records.remove(collection, id, before.version)
      const data = { ...record?.data, ...countsOf(collection, before) }
      const after = record ? await context.records.restore(collection, { id, ...record, data }) : null
      changes.push({ collection, id, before, after })
    }
    const summary = `Put ${counted(records.length, 'record', 'records')} back`
    return tellingOf(
      changes.flatMap(({ after }) => after ?? []),
      succeeded(`${summary}.`, summary, recordUndo(changes)),
    )
  },
})

type PresentRecords =
  | { readonly kind: 'as-left'; readonly present: readonly (StoredRecord | undefined)[] }
  | { readonly kind: 'changed'; readonly reason: string }

async function findPresent(
  records: readonly RestoredRecord[],
  context: RecordToolContext,
): Promise<PresentRecords> {
  const present = await Promise.all(records.map(({ collection, id }) => context.records.get(collection, id)))
  const changed = records.find(
    ({ collection, expected }, index) => contentHashOf(collection, present[index]) !== expected,
  )
  if (changed) {
    return {
      kind: 'changed',
      reason: `${changed.id} in ${changed.collection} has changed since; putting the earlier state back would lose that change.`,
    }
  }
  const reason = await lostRows(records, context)
  return reason === undefined ? { kind: 'as-left', present } : { kind: 'changed', reason }
}

/** What other records lie in, whose collection is named after it. */
const holders = [
  { collection: 'custom_tables', prefix: 'table:', name: 'table' },
  { collection: vectorCollections, prefix: entriesPrefix, name: 'collection' },
] as const

/** A table goes with its rows, and a row comes back only to its table. */
async function lostRows(
  records: readonly RestoredRecord[],
  context: RecordToolContext,
): Promise<string | undefined> {
  const put = (collection: string, id: string) =>
    records.find((each) => each.collection === collection && each.id === id)
  for (const { collection, id, record } of records) {
    const holder = holders.find((each) => each.collection === collection)
    if (holder && record === null) {
      const held = `${holder.prefix}${id}`
      const rows = (await context.records.count(held)).get(held) ?? 0
      const leaving = records.filter((each) => each.collection === held && !each.record).length
      if (rows > leaving) return `The ${holder.name} ${id} has records by now; they would be lost.`
    }
    const around = holders.find(({ prefix }) => collection.startsWith(prefix))
    if (around && record !== null) {
      const name = collection.slice(around.prefix.length)
      const there =
        put(around.collection, name)?.record ?? (await context.records.get(around.collection, name))
      if (!there) return `The ${around.name} ${name} is gone, so its record ${id} cannot be put back.`
    }
  }
  return undefined
}
