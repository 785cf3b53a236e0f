/** A desk for tests, which does with a tool what the house does: parses, looks, runs. Never for use outside tests. */
import {
  type BudgetExtension,
  idFrom,
  type JsonObject,
  type Label,
  operatorLabel,
  type Records,
  type Requester,
  type ToolCatalogue,
  type ToolResult,
} from '@countersign/contract'
import { createCatalogue } from '../catalogue.ts'
import { type Found, type HouseTool, parseArgs, type ToolDefinition } from '../definition.ts'
import type { Desk } from '../desk.ts'
import { createTestMind, type TestMind } from './mind.ts'
import { createMemoryRecords } from './records.ts'

export interface TestDeskOptions {
  readonly records?: Records
  readonly catalogue?: ToolCatalogue
  readonly now?: Date
  readonly requester?: Requester
  /** The agent that makes the calls. */
  readonly agent?: string
}

export interface TestDesk {
  readonly records: Records
  readonly desk: Desk
  /** What was allowed on top of limits, in order. */
  readonly allowed: (BudgetExtension | 'released')[]
  readonly mind: TestMind
  /** What the next calls are made from. */
  label: Label
  now: Date
  /** When calls were asked for; left out, when they are made. */
  asked?: Date
  resolve(tool: ToolDefinition, args: JsonObject): Promise<Found>
  /** Looks and runs; throws what a look refuses. */
  use(tool: ToolDefinition, args: JsonObject): Promise<Used>
}

export interface Used {
  readonly found: Extract<Found, { kind: 'found' }>
  readonly result: ToolResult
}

export function createTestDesk(options: TestDeskOptions = {}): TestDesk {
  const records = options.records ?? createMemoryRecords(options.now)
  const requester = options.requester ?? { kind: 'operator', id: 'the operator' }
  const agent = options.agent ?? 'assistant'
  const session = idFrom('ses', '1'.repeat(32))
  const run = idFrom('run', '2'.repeat(32))
  const mind = createTestMind(records)
  let made = 0
  const test: TestDesk = {
    records,
    allowed: [],
    mind,
    label: operatorLabel,
    now: options.now ?? new Date('2026-03-01T12:00:00.000Z'),
    get desk(): Desk {
      return { ...looking(), cause: { requester, label: test.label, session, run, agent, goal: null } }
    },
    async resolve(tool, args) {
      const { house, parsed } = ready(tool, args)
      return house.effects(parsed, looking())
    },
    async use(tool, args) {
      const { house, parsed } = ready(tool, args)
      const found = await house.effects(parsed, looking())
      if (found.kind !== 'found') throw new Error(found.reason)
      return { found, result: await house.run(parsed, test.desk) }
    },
  }

  const budgetExtensions: Desk['budgetExtensions'] = {
    add: (allowance) => {
      test.allowed.push(allowance)
      return Promise.resolve(allowance.budget !== 'gone')
    },
    release: () => {
      test.allowed.push('released')
      return Promise.resolve()
    },
  }

  function looking(): Desk {
    return {
      records,
      budgetExtensions,
      catalogue: options.catalogue ?? createCatalogue([]),
      now: test.now,
      asked: test.asked ?? test.now,
      uuid: () => nextUuid(),
      cause: undefined,
      mind,
    }
  }

  function nextUuid(): string {
    made += 1
    return `01980000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`
  }

  return test
}

function ready(tool: ToolDefinition, args: JsonObject): { house: HouseTool; parsed: JsonObject } {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway') throw new Error(`${tool.name} does not run in the house`)
  if (parsed.kind === 'invalid') throw new Error(`${tool.name}: ${parsed.problems.join('; ')}`)
  return { house: tool, parsed: parsed.args }
}
