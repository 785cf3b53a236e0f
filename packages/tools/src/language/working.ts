/**
 * Owns what every tool has in common that has a model work on a text: it touches nothing, its answer is worth what its
 * arguments are worth, and an answer in another form is asked for once more and then refused.
 */
import { type JsonObject, operatorLabel, type ToolResult, type WorkOut } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { GroupName } from '../groups.ts'
import { failed } from '../result.ts'

export interface LanguageWork<Args extends Readonly<Record<string, unknown>>> {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly group: GroupName
  readonly tags: readonly string[]
  readonly input: z.ZodType<Args>
  describe(args: Args): string
  /** Why it cannot be asked for, before a model is. */
  readonly problem?: (args: Args) => string | null
  work(args: Args, ask: AskForm): Promise<ToolResult>
}

/** Asks for an answer in a form. Throws `NoAnswer`. */
export type AskForm = <Answer>(question: FormQuestion<Answer>) => Promise<Answer>

export interface FormQuestion<Answer> {
  readonly instruction: string
  readonly text: string
  readonly form: z.ZodType<Answer>
  /** For a form that is known only from the arguments. */
  readonly schema?: JsonObject
  readonly mostTokens?: number
}

export const longestText = 200_000
export const textInput = z.string().min(1).max(longestText)

export class NoAnswer extends Error {}

export function working<Args extends Readonly<Record<string, unknown>>>(
  work: LanguageWork<Args>,
): ToolDefinition {
  const { name, version, description, group, tags, input, problem } = work
  return defineTool<Args>({
    name,
    version,
    description,
    input,
    category: 'language',
    group,
    tags,
    effect: 'pure',
    floor: 0,
    output: operatorLabel,
    runs: 'gateway',
    describe: (args) => work.describe(args),
    preview: (args) => ({ kind: 'text', title: work.describe(args), text: JSON.stringify(args, null, 2) }),
    async effects(args) {
      const reason = problem?.(args) ?? null
      return reason === null ? { kind: 'found', resources: [], effects: [] } : { kind: 'invalid', reason }
    },
    async work(args, workOut) {
      try {
        return await work.work(args, askBy(workOut))
      } catch (error) {
        if (error instanceof NoAnswer) return failed(`It could not be worked out: ${error.message}.`)
        throw error
      }
    },
    run: async (_, { worked }) => worked ?? failed('There is no model here that could work on it.'),
  })
}

const mostTokens = 4_000
const triesForForm = 2

function askBy(workOut: WorkOut): AskForm {
  return async ({ instruction, text, form, schema, mostTokens: most = mostTokens }) => {
    const task = { instruction, text, form: schema ?? schemaOf(form), mostTokens: most }
    let problem = ''
    for (let tries = 0; tries < triesForForm; tries += 1) {
      const answer = await workOut(task)
      if (answer.kind === 'failed') throw new NoAnswer(answer.reason)
      const fit = form.safeParse(answer.value)
      if (fit.success) return fit.data
      problem = fit.error.issues[0]?.message ?? ''
    }
    throw new NoAnswer(`the model did not keep to the form (${problem})`)
  }
}

function schemaOf(form: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(form)
  return schema as JsonObject
}
