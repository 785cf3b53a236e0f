/**
 * Owns what the author of a plugin imports as `countersign/tools`, in the sandbox and on the author's own computer. It needs
 * nothing of the product but the schema language, so that the sandbox is shown nothing else of it.
 */
import { z } from 'zod'

export { z }

/** The version of what a plugin and the product say to each other. */
export const pluginApi = 1

export interface PluginContext {
  /** The folder of its own, until it is removed; null where it was not given one. */
  readonly dataFolder: string | null
  /** A secret that it was given, by the variable that its manifest asks for. */
  secret(variable: string): string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export interface PluginToolDefinition<Input extends z.ZodType = z.ZodType> {
  /** Lower case words with an underscore between two. */
  readonly name: string
  /** One sentence: what it is for. Agents find it by these words. */
  readonly description: string
  readonly input: Input
  /** 0 only looks, 1 can be undone, 2 asks a host, 3 is seen by others or permanent, 4 is critical. */
  readonly tier: 0 | 1 | 2 | 3 | 4
  /** Arguments with which it is tried. */
  readonly example: z.input<Input>
  /** What it throws is told as a failed call. */
  run(input: z.output<Input>, context: PluginContext): string | Promise<string>
}

/** The default export of a plugin is a list of these. */
export function pluginTool<Input extends z.ZodType>(
  definition: PluginToolDefinition<Input>,
): PluginToolDefinition {
  return definition as unknown as PluginToolDefinition
}

/** For the tests of an author: calls one of the tools as the product would. Rejects with what the tool says of a failure. */
export async function callTool(
  tools: readonly PluginToolDefinition[],
  name: string,
  input: unknown,
  context: Partial<PluginContext> = {},
): Promise<string> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const usual = { dataFolder: null, secret: () => undefined, signal: new AbortController().signal }
  const { text, isError } = await answerOf(tool, input, { ...usual, ...context })
  if (isError) throw new Error(text)
  return text
}

/** As it stands in the manifest. */
export interface PluginToolListing {
  readonly name: string
  readonly description: string
  readonly input: Record<string, unknown>
  readonly tier: number
  readonly example: unknown
}

export function listingOf({
  name,
  description,
  input,
  tier,
  example,
}: PluginToolDefinition): PluginToolListing {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return { name, description, input: schema, tier, example }
}

/** Checks the arguments, then runs it. Never rejects. */
export async function answerOf(
  tool: PluginToolDefinition,
  input: unknown,
  context: PluginContext,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const parsed = tool.input.safeParse(input)
  if (!parsed.success) return { text: `Wrong arguments: ${z.prettifyError(parsed.error)}`, isError: true }
  try {
    const text = await tool.run(parsed.data, context)
    if (typeof text === 'string') return { text, isError: false }
    return { text: `The tool ${tool.name} answered with something that is no text.`, isError: true }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true }
  }
}
