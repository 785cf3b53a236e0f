/** Tries a tool that works on records: on records of the trial, which nobody else sees. */
import { randomUUIDv7 } from 'node:crypto'
import { canonicalText, noAssistantServices, noBudgetExtensions } from '@countersign/contract'
import {
  createCatalogue,
  type RecordTool,
  type RecordToolContext,
  type ToolDefinition,
} from '@countersign/tools'
import type { Ambient } from './ambient.ts'
import { firstLineOf } from './check.ts'
import type { Example } from './example.ts'
import { canonicalOf } from './executor-tool-trial.ts'
import { recordDifferenceOf } from './record-difference.ts'
import { createScratchRecords, type RecordUse, type ScratchRecords } from './scratch-records.ts'
import { type Trial, type TrialEnvironment, tooLate, type UndoTrial, withinTime } from './trial.ts'
import { trialCause } from './trial-cause.ts'

export interface RecordTrialOptions {
  readonly definition: RecordTool
  readonly tools: readonly ToolDefinition[]
  readonly ambient: Ambient
}

export function openRecordTrial({ definition, tools, ambient }: RecordTrialOptions): TrialEnvironment {
  const now = new Date()
  const scratch = createScratchRecords(() => now)
  const context: RecordToolContext = {
    records: scratch.records,
    budgetExtensions: noBudgetExtensions,
    catalogue: createCatalogue(tools),
    now,
    asked: now,
    uuid: () => randomUUIDv7(),
    cause: undefined,
    assistant: noAssistantServices,
  }
  return {
    where: 'records of its own',
    effects: (args) => ambient.inTool(async () => definition.effects(args, context)),
    async attempt(example) {
      scratch.furnish(example.records ?? {}, now)
      const ended = await withinTime(() => attempt(example, definition, context, scratch, ambient))
      return ended === 'late' ? tooLate : ended
    },
    close: async () => undefined,
  }
}

async function attempt(
  example: Example,
  definition: RecordTool,
  context: RecordToolContext,
  scratch: ScratchRecords,
  ambient: Ambient,
): Promise<Trial> {
  const text = canonicalOf(context.catalogue.find(definition.name), example.args)
  if (text === undefined)
    return { kind: 'stopped', reason: 'It does not take these arguments.', fix: 'Give others.' }
  const args = JSON.parse(text)
  const found = await ambient.inTool(async () => definition.effects(args, context))
  if (found.kind !== 'found')
    return {
      kind: 'stopped',
      reason: found.reason,
      fix: found.kind === 'unavailable' ? found.fix : 'Give the records it needs in the example.',
    }
  const looked = scratch.uses.find(({ op }) => op === 'write' || op === 'delete')
  if (looked)
    return {
      kind: 'stopped',
      reason: 'It changed records while it only looked.',
      fix: 'Change nothing in `effects`.',
    }
  const before = canonicalText(scratch.dump())
  const seen = scratch.uses.length
  let threw: string | null = null
  const cause = trialCause
  const result = await ambient
    .inTool(async () => definition.run(args, { ...context, cause }))
    .catch((error: unknown) => {
      threw = firstLineOf(error)
      return { ok: false, text: threw, summary: threw, undo: null }
    })
  const uses = scratch.uses.slice(seen)
  const changed = canonicalText(scratch.dump()) === before ? [] : uses.filter(isChange).map(useText)
  const difference = recordDifferenceOf(found, uses)
  const taking: UndoTrial =
    result.undo === null
      ? { kind: 'none' }
      : await takeBack(result.undo, { ...context, cause }, scratch, before)
  return { kind: 'done', result, effects: found.effects, difference, changed, taking, threw }
}

async function takeBack(
  undo: { readonly tool: string; readonly args: string },
  context: RecordToolContext,
  scratch: ScratchRecords,
  before: string,
): Promise<UndoTrial> {
  const found = context.catalogue.find(undo.tool)
  const tool = recordTool(undo.tool, context)
  const text = canonicalOf(found, JSON.parse(undo.args))
  if (!tool || text === undefined)
    return { kind: 'failed', reason: `${undo.tool} does not take ${undo.args}` }
  const args = JSON.parse(text)
  const looked = await tool.effects(args, context)
  if (looked.kind !== 'found') return { kind: 'failed', reason: looked.reason }
  const result = await tool.run(args, context)
  if (!result.ok) return { kind: 'failed', reason: result.text }
  if (canonicalText(scratch.dump()) === before) return { kind: 'restored', left: [] }
  return { kind: 'differs', what: scratch.uses.filter(isChange).map(useText) }
}

function recordTool(name: string, { catalogue }: RecordToolContext): RecordTool | undefined {
  const definition =
    'definition' in catalogue ? (catalogue as ReturnType<typeof createCatalogue>).definition(name) : undefined
  return definition?.runs === 'gateway' ? definition : undefined
}

function isChange({ op }: RecordUse): boolean {
  return op === 'write' || op === 'delete'
}

function useText({ op, collection, id }: RecordUse): string {
  return `${op === 'write' ? 'wrote' : 'deleted'} ${id} of ${collection}`
}
