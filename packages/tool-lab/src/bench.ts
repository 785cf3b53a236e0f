/**
 * What the test of a tool imports as `countersign/bench`: a place in which one tool is really run. A tool of the
 * executor gets its sandbox, a workspace and a permit; a tool on records gets records of its own.
 */
import { randomUUIDv7 } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  canonicalText,
  type Effect,
  type JsonObject,
  noAssistantServices,
  noBudgetExtensions,
  type Records,
  type Resource,
  type ToolResult,
} from '@countersign/contract'
import {
  builtinTools,
  type Catalogue,
  createCatalogue,
  parseArgs,
  type RecordToolContext,
  type ToolDefinition,
} from '@countersign/tools'
import { openScratchHost, type ScratchHost } from './scratch-host.ts'
import { createScratchRecords, type InitialRecords } from './scratch-records.ts'
import { snapshotOf } from './snapshot.ts'
import { trialCause } from './trial-cause.ts'

/** What became of a call. One that could not be made did nothing. */
export type BenchCall =
  | { readonly made: false; readonly reason: string }
  | {
      readonly made: true
      readonly resources: readonly Resource[]
      readonly effects: readonly Effect[]
      readonly result: ToolResult
    }

export interface BenchStart {
  readonly files?: Readonly<Record<string, string>>
  readonly records?: InitialRecords
}

export interface Bench {
  readonly records: Records
  /** Empties the workspace and the records, and puts these in. */
  start(start: BenchStart): Promise<void>
  /** Looks and, if it can be done, runs: with the permit that the effects ask for. */
  call(args: JsonObject): Promise<BenchCall>
  /** Takes back what a call did. */
  undo(call: BenchCall): Promise<BenchCall>
  /** The text of a file of the workspace; nothing if there is none. */
  read(path: string): string | undefined
  /** All that can be changed here, to be compared with what it is later. */
  state(): unknown
  close(): Promise<void>
}

/** Other tools that this one needs, as its undo, are named besides; the built-in ones are there. */
export async function openBench(tool: ToolDefinition, ...others: readonly ToolDefinition[]): Promise<Bench> {
  const own = [tool, ...others]
  const tools = [...builtinTools.filter(({ name }) => !own.some((each) => each.name === name)), ...own]
  const catalogue = createCatalogue(tools)
  const now = new Date()
  const scratch = createScratchRecords(() => now)
  const host = tool.runs === 'executor' ? await openScratchHost({ tools }) : undefined
  const context: RecordToolContext = {
    records: scratch.records,
    budgetExtensions: noBudgetExtensions,
    catalogue,
    now,
    asked: now,
    uuid: () => randomUUIDv7(),
    cause: trialCause,
    assistant: noAssistantServices,
  }
  const make = (name: string, args: unknown) => callOf(name, args, { catalogue, host, context })
  return {
    records: scratch.records,
    async start({ files = {}, records = {} }) {
      await host?.furnish({ files })
      scratch.furnish(records, now)
    },
    call: (args) => make(tool.name, args),
    async undo(call) {
      const undo = call.made ? call.result.undo : null
      if (!undo) return { made: false, reason: 'The call says nothing about how to take it back.' }
      return make(undo.tool, JSON.parse(undo.args))
    },
    read(path) {
      const full = host && join(host.workspace, path)
      return full !== undefined && existsSync(full) ? readFileSync(full, 'utf8') : undefined
    },
    state: () => ({ files: host ? [...snapshotOf(host.workspace)] : [], records: scratch.dump() }),
    close: async () => host?.close(),
  }
}

interface BenchParts {
  readonly catalogue: Catalogue
  readonly host: ScratchHost | undefined
  readonly context: RecordToolContext
}

async function callOf(
  name: string,
  given: unknown,
  { catalogue, host, context }: BenchParts,
): Promise<BenchCall> {
  const tool = catalogue.definition(name)
  if (!tool) return { made: false, reason: `There is no tool ${name}.` }
  const parsed = parseArgs(tool, given)
  if (parsed.kind === 'invalid') return { made: false, reason: parsed.problems.join('; ') }
  if (tool.runs === 'gateway') {
    const found = await tool.effects(parsed.args, context)
    if (found.kind !== 'found') return { made: false, reason: found.reason }
    return { made: true, ...found, result: await tool.run(parsed.args, context) }
  }
  if (tool.runs !== 'executor' || !host)
    return { made: false, reason: `${name} does no work of its own here.` }
  const called = await host.call(name, canonicalText(parsed.args), new AbortController().signal)
  if (called.kind !== 'done') return { made: false, reason: called.reason }
  const { resources, effects } = called.resolution
  return { made: true, resources, effects, result: called.result }
}
