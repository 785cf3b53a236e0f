/** Looks at a definition as it stands: every field there and of its kind, the schema strict, the undo a tool that exists. */
import { EffectClass, Label, NodeCapability, Tier, type ToolFacts } from '@countersign/contract'
import { groups, isToolName, type ToolDefinition, toFacts } from '@countersign/tools'
import { z } from 'zod'
import { type Check, firstLineOf, openCheck } from './check.ts'

const method = z.custom<unknown>((value) => typeof value === 'function', 'is not a function')
const text = z.string().min(1, 'is empty')

const descriptionShape = {
  name: text.refine(
    isToolName,
    'must be lower case with underscores, as in count_words, and at most 64 characters',
  ),
  version: text,
  description: text,
  category: text,
  group: z
    .string()
    .refine((name) => Object.hasOwn(groups, name), `must be one of ${Object.keys(groups).join(', ')}`),
  tags: z.array(z.string()),
  effect: EffectClass,
  floor: Tier,
  output: Label,
  describe: method,
  preview: method,
}

const shapes: Readonly<Record<ToolDefinition['runs'], z.ZodType>> = {
  executor: z.looseObject({
    ...descriptionShape,
    sandbox: z.enum([
      'none',
      'files',
      'read-only',
      'workspace-write',
      'network',
      'script',
      'browser',
      'documents',
    ]),
    egress: z.enum(['none', 'checked']),
    effects: method,
    run: method,
  }),
  node: z.looseObject({ ...descriptionShape, capability: NodeCapability, effects: method, run: method }),
  gateway: z.looseObject({ ...descriptionShape, effects: method, run: method }),
  operator: z.looseObject({ ...descriptionShape, question: method }),
  unwrapped: z.looseObject({ ...descriptionShape, unwrap: method }),
}

const longestLine = 200

export function checkDefinition(
  definition: ToolDefinition,
  others: readonly ToolDefinition[],
): { readonly check: Check; readonly facts: ToolFacts | undefined } {
  const findings = openCheck('definition')
  const shape = shapes[definition.runs]
  if (!shape)
    findings.problem(
      'has a `runs` that nobody knows',
      'Use `executor`, `gateway`, `operator` or `unwrapped`.',
    )
  const problems = shape?.safeParse(definition).error?.issues ?? []
  for (const { path, message } of problems)
    findings.problem(
      `has a bad \`${path.join('.')}\`: ${message}`,
      'See docs/tool-authors/writing-a-tool.md.',
    )
  const facts = findings.hasProblems() ? undefined : factsOf(definition, findings.problem)
  if (others.filter(({ name }) => name === definition.name).length > 1)
    findings.problem(`shares its name with another tool`, 'Two tools of one name cannot be in one catalogue.')
  if (definition.undo !== undefined && !others.some(({ name }) => name === definition.undo))
    findings.problem(
      `names the undo ${definition.undo}, and there is no such tool`,
      'Export it from the same file, or name a built-in one such as restore_file.',
    )
  if (facts) {
    const [first = ''] = facts.description.split(/(?<=\.)\s/)
    if (first.length > longestLine)
      findings.note(`The first sentence of its description is long for one line: ${first.length} characters.`)
    if (facts.tags.length === 0) findings.note('It has no tags, so a search finds it by its own words only.')
  }
  const members = Object.keys((facts?.schema.properties as object | undefined) ?? {}).length
  const summary = `version ${String(definition.version)}, ${definition.runs}, at least T${String(definition.floor)}, ${members} ${members === 1 ? 'argument' : 'arguments'}`
  return { check: findings.end(summary), facts }
}

function factsOf(
  definition: ToolDefinition,
  problem: (sentence: string, fix: string) => void,
): ToolFacts | undefined {
  try {
    return toFacts(definition)
  } catch (error) {
    problem(
      `makes no schema: ${firstLineOf(error)}`,
      'Use `z.strictObject({ … })` as `input`, with types that JSON has.',
    )
    return undefined
  }
}
