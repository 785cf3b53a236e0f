/** Tries a tool that works on records: on records of the trial, which nobody else sees. */
import { randomUUIDv7 } from 'node:crypto'
import { canonicalText, noAssistantServices, noBudgetExtensions } from '@countersign/contract'
import { createCatalogue, type Desk, type HouseTool, type ToolDefinition } from '@countersign/tools'
import type { Ambient } from './ambient.ts'
import { messageOf } from './check.ts'
import type { Example } from './example.ts'
import { canonicalOf } from './executor-room.ts'
import { recordDifferenceOf } from './record-difference.ts'
import { createScratchRecords, type RecordUse, type ScratchRecords } from './scratch-records.ts'
import { type TakingBack, type Trial, type TrialRoom, tooLate, withinTime } from './trial.ts'
import { trialCause } from './trial-cause.ts'

export interface HouseRoomOptions {
  readonly definition: HouseTool
  readonly tools: readonly ToolDefinition[]
  readonly ambient: Ambient
}

export function openHouseRoom({ definition, tools, ambient }: HouseRoomOptions): TrialRoom {
  const now = new Date()
  const scratch = createScratchRecords(() => now)
  const desk: Desk = {
    records: scratch.records,
    budgetExtensions: noBudgetExtensions,
    catalogue: createCatalogue(tools),
    now,
    asked: now,
    uuid: () => randomUUIDv7(),
    cause: undefined,
    mind: noAssistantServices,
  }
  return {
    where: 'records of its own',
    effects: (args) => ambient.inTool(async () => definition.effects(args, desk)),
    async attempt(example) {
      scratch.furnish(example.records ?? {}, now)
      const ended = await withinTime(() => attempt(example, definition, desk, scratch, ambient))
      return ended === 'late' ? tooLate : ended
    },
    close: async () => undefined,
  }
}

async function attempt(
  example: Example,
  definition: HouseTool,
  desk: Desk,
  scratch: ScratchRecords,
  ambient: Ambient,
): Promise<Trial> {
  const text = canonicalOf(desk.catalogue.find(definition.name), example.args)
  if (text === undefined)
    return { kind: 'stopped', reason: 'It does not take these arguments.', fix: 'Give others.' }
  const args = JSON.parse(text)
  const found = await ambient.inTool(async () => definition.effects(args, desk))
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
    .inTool(async () => definition.run(args, { ...desk, cause }))
    .catch((error: unknown) => {
      threw = messageOf(error)
      return { ok: false, text: threw, summary: threw, undo: null }
    })
  const uses = scratch.uses.slice(seen)
  const changed = canonicalText(scratch.dump()) === before ? [] : uses.filter(isChange).map(useText)
  const difference = recordDifferenceOf(found, uses)
  const taking: TakingBack =
    result.undo === null ? { kind: 'none' } : await takeBack(result.undo, { ...desk, cause }, scratch, before)
  return { kind: 'done', result, effects: found.effects, difference, changed, taking, threw }
}

async function takeBack(
  undo: { readonly tool: string; readonly args: string },
  desk: Desk,
  scratch: ScratchRecords,
  before: string,
): Promise<TakingBack> {
  const found = desk.catalogue.find(undo.tool)
  const tool = houseTool(undo.tool, desk)
  const text = canonicalOf(found, JSON.parse(undo.args))
  if (!tool || text === undefined)
    return { kind: 'failed', reason: `${undo.tool} does not take ${undo.args}` }
  const args = JSON.parse(text)
  const looked = await tool.effects(args, desk)
  if (looked.kind !== 'found') return { kind: 'failed', reason: looked.reason }
  const result = await tool.run(args, desk)
  if (!result.ok) return { kind: 'failed', reason: result.text }
  if (canonicalText(scratch.dump()) === before) return { kind: 'restored', left: [] }
  return { kind: 'differs', what: scratch.uses.filter(isChange).map(useText) }
}

function houseTool(name: string, { catalogue }: Desk): HouseTool | undefined {
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
