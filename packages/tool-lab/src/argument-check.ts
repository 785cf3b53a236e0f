/** Gives a tool arguments made from its own schema, right ones and wrong ones, and looks whether it tells them apart. */
import { canonicalText, type JsonObject, type ParsedArgs, type ToolFacts } from '@countersign/contract'
import { type Check, type Findings, firstLineOf, openCheck } from './check.ts'
import type { Example } from './example.ts'
import { createSampler } from './sample.ts'
import type { SeededRandom } from './seeded-random.ts'
import { violate } from './violation.ts'

export interface ArgumentPlan {
  readonly facts: ToolFacts
  readonly examples: readonly Example[]
  readonly count: number
  readonly random: SeededRandom
  /** The parameter that has a limit. */
  readonly limited: string | undefined
  readonly step: (done: number) => Promise<void>
}

export interface ArgumentOutcome {
  readonly check: Check
  /** Arguments that the tool took, as it took them. */
  readonly taken: readonly JsonObject[]
}

export async function checkArguments(plan: ArgumentPlan): Promise<ArgumentOutcome> {
  const { facts, random, count } = plan
  const findings = openCheck('arguments')
  const sampler = createSampler(facts.schema, random)
  const taken = new Map<string, JsonObject>()
  const tally = { taken: 0, strict: 0, wrong: 0, refused: 0 }
  let base: JsonObject | undefined
  const keep = (args: JsonObject | undefined, given: JsonObject) => {
    if (!args) return
    base = given
    taken.set(canonicalText(args), args)
  }
  for (const { args } of plan.examples) {
    const parsed = takenArgs(facts, args, findings)
    if (!parsed) findings.problem('refuses its own example', 'Correct the example, or the schema.', args)
    keep(parsed, args)
  }
  for (let made = 0; made < count; made += 1) {
    const isWrong = random.chance(40) && base !== undefined
    const violation =
      isWrong && base ? violate(facts.schema, base, random, { limited: plan.limited }) : undefined
    if (violation) {
      tally.wrong += 1
      if (isRefused(facts, violation.value, violation.why, findings)) tally.refused += 1
    } else {
      const given =
        plan.examples.length > 0 && random.chance(30) ? varied(plan, sampler.sample()) : sampler.sample()
      if (given === undefined) continue
      const args = takenArgs(facts, given, findings)
      if (args) tally.taken += 1
      else tally.strict += 1
      keep(args, given)
    }
    await plan.step(made + 1)
  }
  if (taken.size === 0)
    findings.note(
      'None of the arguments that were made up was taken: its rules are narrower than its schema. Export `examples`, from which others are made.',
    )
  const own = tally.strict > 0 ? `, ${tally.strict} refused by rules of its own` : ''
  const summary = `${tally.taken} right ones taken${own}, ${tally.refused} of ${tally.wrong} wrong ones refused`
  return { check: findings.end(summary), taken: [...taken.values()] }
}

/** An example with some members replaced by made-up ones. */
function varied({ examples, random }: ArgumentPlan, sample: JsonObject | undefined): JsonObject | undefined {
  const [first, ...others] = examples
  if (!first) return sample
  const { args } = random.pick([first, ...others])
  const changes = Object.entries(sample ?? {}).filter(() => random.chance(40))
  return { ...args, ...Object.fromEntries(changes) }
}

function takenArgs(facts: ToolFacts, given: JsonObject, findings: Findings): JsonObject | undefined {
  const parsed = parsedOf(facts, given, findings)
  if (parsed?.kind === 'invalid') saysWhy(parsed.problems, given, findings)
  if (parsed?.kind !== 'args') return undefined
  const text = textOf(parsed.args, given, findings)
  if (text === undefined) return undefined
  const again = parsedOf(facts, JSON.parse(text), findings)
  const same = again?.kind === 'args' && textOf(again.args, given, findings) === text
  if (same) return parsed.args
  findings.problem(
    'takes its own parsed arguments in another way the second time',
    'What parsing gives is bound and parsed again before it runs. Make every transform leave its own result alone.',
    given,
  )
  return undefined
}

function parsedOf(facts: ToolFacts, given: unknown, findings: Findings): ParsedArgs | undefined {
  try {
    return facts.parse(given)
  } catch (error) {
    findings.problem(
      `threw while parsing: ${firstLineOf(error)}`,
      'A refinement or transform must not throw, nor wait: add an issue instead.',
      given,
    )
    return undefined
  }
}

function textOf(args: JsonObject, given: JsonObject, findings: Findings): string | undefined {
  try {
    return canonicalText(args)
  } catch (error) {
    findings.problem(
      `makes arguments that JSON cannot carry: ${firstLineOf(error)}`,
      'Keep dates, sets and undefined out of what parsing gives; make them in `run`.',
      given,
    )
    return undefined
  }
}

function isRefused(facts: ToolFacts, value: unknown, why: string, findings: Findings): boolean {
  const parsed = parsedOf(facts, value, findings)
  if (parsed === undefined) return false
  if (parsed.kind === 'invalid') {
    saysWhy(parsed.problems, value, findings)
    return true
  }
  findings.problem(
    `takes what its schema forbids (${why})`,
    'The schema is what a model and a person are shown. Let `input` refuse it.',
    value,
  )
  return false
}

function saysWhy(problems: readonly string[], given: unknown, findings: Findings): void {
  if (problems.length > 0 && problems.every((problem) => problem.trim() !== '')) return
  findings.problem(
    'refuses without a sentence',
    'Give every refinement a message that says what is wrong.',
    given,
  )
}
