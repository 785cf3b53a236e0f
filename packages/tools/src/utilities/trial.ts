/** Runs a utility as an executor with a permit would. For tests only. */
import type { JsonObject } from '@countersign/contract'
import type { ToolCapabilities } from '../capabilities.ts'
import { parseArgs, type ToolDefinition } from '../definition.ts'
import type { Inspector } from '../inspector.ts'

export interface Trial {
  readonly kind: 'answer' | 'refused' | 'invalid'
  /** What a model would be told. */
  readonly text: string
  /** Read from the text where it is JSON. */
  readonly value: unknown
  /** What this thread computed, in microseconds, whatever else the machine did meanwhile. */
  readonly computed: number
}

export async function tryTool(tool: ToolDefinition, args: JsonObject): Promise<Trial> {
  const parsed = parseArgs(tool, args)
  if (parsed.kind === 'invalid')
    return { kind: 'invalid', text: parsed.problems.join('; '), value: undefined, computed: 0 }
  if (tool.runs !== 'executor') throw new Error(`${tool.name} runs elsewhere`)
  await tool.effects(parsed.args, untouchable<Inspector>())
  const start = process.threadCpuUsage()
  const result = await tool.run(parsed.args, untouchable<ToolCapabilities>(), new AbortController().signal)
  const { user, system } = process.threadCpuUsage(start)
  const kind = result.ok ? 'answer' : 'refused'
  return { kind, text: result.text, value: readJson(result.text), computed: user + system }
}

/** The answer, where one is expected. */
export async function answerOf(tool: ToolDefinition, args: JsonObject): Promise<unknown> {
  const { kind, text, value } = await tryTool(tool, args)
  if (kind !== 'answer') throw new Error(`${tool.name} gave no answer: ${text}`)
  return value
}

/** A computation has no use for what an executor could give it. */
function untouchable<Port extends object>(): Port {
  return new Proxy({} as Port, {
    get() {
      throw new Error('A computation reached for the world.')
    },
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
