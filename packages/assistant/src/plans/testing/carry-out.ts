/** Carries out a plan as the loop does, with tools and a model that a test gives. Never for use outside tests. */
import type {
  CallReply,
  Meter,
  ModelChunk,
  ModelMessage,
  ModelPort,
  ModelRequest,
  RawCall,
} from '@countersign/agent'
import { type Plan, PlanSteps } from '@countersign/contract'
import { planPort } from '../port.ts'

export const freeMeter: Meter = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'mc' }),
  settle: () => Promise.resolve(),
}

export type TestPlan = Pick<Plan, 'name' | 'steps' | 'version'>

/** Defaults are filled in as when a plan is kept. */
export function testPlan(steps: readonly unknown[], name = 'Trip'): TestPlan {
  return { name, version: 1, steps: PlanSteps.parse(steps) }
}

export const call = (id: string, more: object = {}) => ({
  type: 'tool_call',
  id,
  name: id,
  tool: 'do',
  ...more,
})

export interface PlanWorld {
  /** What a call comes to; an error where it throws. */
  readonly tool?: (call: RawCall) => string
  readonly model?: (request: ModelRequest) => string
  readonly clock?: () => Date
  readonly skipped?: () => readonly string[]
}

export interface CarriedPlan {
  /** The calls of each reply. */
  readonly turns: readonly (readonly RawCall[])[]
  readonly messages: readonly ModelMessage[]
  readonly text: string
  readonly waits: readonly number[]
  readonly asked: readonly ModelRequest[]
}

export function modelOf(answer: (request: ModelRequest) => string, asked: ModelRequest[] = []): ModelPort {
  return {
    async *stream(request): AsyncGenerator<ModelChunk> {
      asked.push(request)
      const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
      yield { type: 'end', reply: { text: answer(request), calls: [], finish: 'stop', usage, model: 'm' } }
    },
  }
}

export async function carryOut(plan: TestPlan, world: PlanWorld = {}): Promise<CarriedPlan> {
  const messages: ModelMessage[] = [{ role: 'user', text: 'Carry out the plan.' }]
  const turns: RawCall[][] = []
  const waits: number[] = []
  const asked: ModelRequest[] = []
  const port = planPort({
    plan,
    model: modelOf(world.model ?? (() => 'yes'), asked),
    clock: world.clock ?? (() => new Date(0)),
    skipped: () => Promise.resolve(world.skipped?.() ?? []),
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  })
  for (let turn = 0; turn < 3_000; turn += 1) {
    const chunk = await next(port, messages)
    if (chunk.type !== 'end') throw new Error(`It broke off: ${JSON.stringify(chunk)}`)
    const { text, calls } = chunk.reply
    messages.push({ role: 'assistant', text, calls })
    if (calls.length === 0) return { turns, messages, text, waits, asked }
    turns.push([...calls])
    messages.push({ role: 'tool', results: calls.map((each) => replyTo(each, world)) })
  }
  throw new Error('It never ended.')
}

export async function next(
  port: ModelPort,
  messages: readonly ModelMessage[],
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelChunk> {
  const request = { purpose: 'planning' as const, system: '', messages, tools: [], maxOutputTokens: 100 }
  for await (const chunk of port.stream(request, signal, freeMeter)) return chunk
  throw new Error('It said nothing.')
}

function replyTo(made: RawCall, world: PlanWorld): CallReply {
  const { id: callId, name, problem } = made
  if (problem !== undefined) return { callId, name, text: problem, isError: true }
  try {
    return { callId, name, text: world.tool ? world.tool(made) : `did ${callId}`, isError: false }
  } catch (error) {
    return { callId, name, text: error instanceof Error ? error.message : '', isError: true }
  }
}
