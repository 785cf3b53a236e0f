/** Runs record tools in tests as the gateway does: parses, inspects, runs. Never for use outside tests. */
import {
  type BudgetExtension,
  type EmbedTexts,
  idFrom,
  type JsonObject,
  type Label,
  operatorLabel,
  type Records,
  type Requester,
  type ToolCatalogue,
  type ToolResult,
  type WorkOut,
} from '@countersign/contract'
import { createCatalogue } from '../catalogue.ts'
import { type EffectsResult, parseArgs, type RecordTool, type ToolDefinition } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { createMemoryRecords } from './records.ts'
import { createTestAssistant, type TestAssistant } from './test-assistant.ts'

export interface RecordToolRunnerOptions {
  readonly records?: Records
  readonly catalogue?: ToolCatalogue
  readonly now?: Date
  readonly requester?: Requester
  /** The agent that makes the calls. */
  readonly agent?: string
}

export interface RecordToolRunner {
  readonly records: Records
  readonly context: RecordToolContext
  /** What was allowed on top of limits, in order. */
  readonly allowed: (BudgetExtension | 'released')[]
  readonly assistant: TestAssistant
  /** What the next calls are made from. */
  label: Label
  now: Date
  /** What a model would answer. */
  workOut: WorkOut
  embed: EmbedTexts
  /** When calls were asked for; left out, when they are made. */
  asked?: Date
  resolve(tool: ToolDefinition, args: JsonObject): Promise<EffectsResult>
  /** Looks and runs; throws what a look refuses. */
  use(tool: ToolDefinition, args: JsonObject): Promise<RecordToolRun>
}

export interface RecordToolRun {
  readonly found: Extract<EffectsResult, { kind: 'found' }>
  readonly result: ToolResult
}

export function createRecordToolRunner(options: RecordToolRunnerOptions = {}): RecordToolRunner {
  const records = options.records ?? createMemoryRecords(options.now)
  const requester = options.requester ?? { kind: 'operator', id: 'the operator' }
  const agent = options.agent ?? 'assistant'
  const session = idFrom('ses', '1'.repeat(32))
  const run = idFrom('run', '2'.repeat(32))
  const assistant = createTestAssistant(records)
  let made = 0
  const test: RecordToolRunner = {
    records,
    allowed: [],
    assistant,
    label: operatorLabel,
    workOut: async () => ({ kind: 'failed', reason: 'there is no model here' }),
    embed: async () => ({ kind: 'failed', reason: 'there is no model for embeddings here' }),
    now: options.now ?? new Date('2026-03-01T12:00:00.000Z'),
    get context(): RecordToolContext {
      return {
        ...inspectionContext(),
        cause: { requester, label: test.label, session, run, agent, goal: null },
      }
    },
    async resolve(tool, args) {
      const { recordTool, parsed } = ready(tool, args)
      return recordTool.effects(parsed, inspectionContext())
    },
    async use(tool, args) {
      const { recordTool, parsed } = ready(tool, args)
      const found = await recordTool.effects(parsed, inspectionContext())
      if (found.kind !== 'found') throw new Error(found.reason)
      const worked = await recordTool.work?.(parsed, test.workOut)
      const texts = recordTool.texts?.(parsed)
      const embedded = texts && (await test.embed(texts))
      const context = {
        ...test.context,
        ...(worked ? { worked } : {}),
        ...(embedded ? { embedded } : {}),
      }
      return { found, result: await recordTool.run(parsed, context) }
    },
  }

  const budgetExtensions: RecordToolContext['budgetExtensions'] = {
    add: (allowance) => {
      test.allowed.push(allowance)
      return Promise.resolve(allowance.budget !== 'gone')
    },
    release: () => {
      test.allowed.push('released')
      return Promise.resolve()
    },
  }

  function inspectionContext(): RecordToolContext {
    return {
      records,
      budgetExtensions,
      catalogue: options.catalogue ?? createCatalogue([]),
      now: test.now,
      asked: test.asked ?? test.now,
      uuid: () => nextUuid(),
      cause: undefined,
      assistant,
    }
  }

  function nextUuid(): string {
    made += 1
    return `01980000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`
  }

  return test
}

function ready(tool: ToolDefinition, args: JsonObject): { recordTool: RecordTool; parsed: JsonObject } {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway') throw new Error(`${tool.name} does not run in the gateway`)
  if (parsed.kind === 'invalid') throw new Error(`${tool.name}: ${parsed.problems.join('; ')}`)
  return { recordTool: tool, parsed: parsed.args }
}
