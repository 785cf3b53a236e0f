/** Owns the tools that change or delete one record of a collection, found by its id. */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import type { ToolText } from './add.ts'
import { fieldsCard } from './cards.ts'
import { type Collection, change, textIn, titleOf } from './collection.ts'
import { missing, touching } from './effects.ts'
import { keptLabel, recordLabel, tellingOf } from './kept-label.ts'
import { whole } from './record-lines.ts'
import { recordUndo, restoring } from './undo.ts'

export interface ChangeToolText extends ToolText {
  /** The parameter that names the record, such as `taskId`. */
  readonly idParam: string
}

/** Takes any field of the collection; null removes one that may be missing. */
export function updateTool(collection: Collection, words: ChangeToolText): ToolDefinition {
  return changeTool(collection, {
    ...words,
    input: z
      .strictObject({ [words.idParam]: nameText(100), ...collection.changed.shape })
      .refine((args) => Object.keys(args).length > 1, 'Give at least one field to change.'),
    changes: (args) => Object.fromEntries(Object.entries(args).filter(([name]) => name !== words.idParam)),
    headline: (id, changes) => `Change ${collection.singular} ${id}: ${Object.keys(changes).join(', ')}`,
    done: 'Changed',
  })
}

/** A change that takes nothing but the id. */
export function markTool(
  collection: Collection,
  words: ChangeToolText & { readonly changes: JsonObject; readonly verb: string; readonly done: string },
): ToolDefinition {
  const { changes, verb, done, ...rest } = words
  return changeTool(collection, {
    ...rest,
    input: z.strictObject({ [words.idParam]: nameText(100) }),
    changes: () => changes,
    headline: (id) => `${verb} ${collection.singular} ${id}`,
    done,
  })
}

export function deleteTool(collection: Collection, { idParam, ...words }: ChangeToolText): ToolDefinition {
  const idOf = (args: JsonObject) => textIn(args, idParam)
  return defineTool<JsonObject>({
    ...words,
    ...common(collection),
    runs: 'gateway',
    input: z.strictObject({ [idParam]: nameText(100) }) as unknown as z.ZodType<JsonObject>,
    describe: (args) => `Delete ${collection.singular} ${idOf(args)}`,
    preview: (args) => ({ kind: 'text', title: `Delete ${collection.singular}`, text: idOf(args) }),
    async effects(args, context) {
      const found = await context.records.get(collection.name, idOf(args))
      if (!found) return { kind: 'invalid', reason: missing(collection, idOf(args)) }
      return touching(collection, 'delete', found)
    },
    async run(args, context) {
      const before = await context.records.get(collection.name, idOf(args))
      if (!before) return failed(missing(collection, idOf(args)))
      await context.records.remove(collection.name, before.id, before.version)
      const summary = `Deleted the ${collection.singular} “${titleOf(collection, before.data)}”`
      const undo = recordUndo([{ collection: collection.name, id: before.id, before, after: null }])
      return tellingOf([before], succeeded(`${summary}. It can be undone.`, summary, undo))
    },
  })
}

interface ChangeParts extends ChangeToolText {
  readonly input: z.ZodType
  readonly changes: (args: JsonObject) => JsonObject
  readonly headline: (id: string, changes: JsonObject) => string
  readonly done: string
}

function changeTool(collection: Collection, parts: ChangeParts): ToolDefinition {
  const { idParam, input, changes, headline, done, ...words } = parts
  const idOf = (args: JsonObject) => textIn(args, idParam)
  return defineTool<JsonObject>({
    ...words,
    ...common(collection),
    runs: 'gateway',
    input: input as z.ZodType<JsonObject>,
    describe: (args) => headline(idOf(args), changes(args)),
    preview: (args) => fieldsCard(`Changes to ${idOf(args)}`, changes(args)),
    async effects(args, context) {
      const found = await context.records.get(collection.name, idOf(args))
      if (!found) return { kind: 'invalid', reason: missing(collection, idOf(args)) }
      const changed = change(collection, found.data, changes(args), context.now)
      return changed.kind === 'data' ? touching(collection, 'write', found) : changed
    },
    async run(args, context) {
      const before = await context.records.get(collection.name, idOf(args))
      if (!before) return failed(missing(collection, idOf(args)))
      const changed = change(collection, before.data, changes(args), context.now)
      if (changed.kind === 'invalid') return failed(changed.reason)
      const label = keptLabel(context, before.label)
      const after = await context.records.replace(
        collection.name,
        before.id,
        before.version,
        changed.data,
        label,
      )
      const summary = `${done} the ${collection.singular} “${titleOf(collection, after.data)}”`
      const undo = recordUndo([{ collection: collection.name, id: before.id, before, after }])
      return tellingOf([after], succeeded(`${summary}.\n${whole(collection, [after])}`, summary, undo))
    },
  })
}

function common({ category, group }: Collection) {
  return {
    version: '1',
    category,
    group,
    effect: 'idempotent',
    floor: 1,
    output: recordLabel,
    undo: restoring,
  } as const
}
