/**
 * Owns the making of a policy set: base rules, one autonomy level and the operator's files, checked against the
 * schema and parsed once. Refuses the whole when any part is wrong.
 */
import { createHash } from 'node:crypto'
import type { Autonomy, RuleRef } from '@countersign/contract'
import { baseFile } from './bundled/base.ts'
import { levelFiles } from './bundled/levels.ts'
import {
  type EngineRequest,
  type Evaluation,
  evaluateOnce,
  loadRules,
  parseRule,
  validateRules,
} from './engine.ts'
import { type RuleNeeds, ruleNeeds } from './needs.ts'
import { schemaText } from './schema.ts'
import { lineOf, type PolicyFile, ruleLimits, type Statement, splitStatements } from './source.ts'

export interface PolicyRule extends RuleRef {
  readonly effect: 'permit' | 'forbid'
  readonly text: string
}

export interface PolicySet {
  readonly autonomy: Autonomy
  /** SHA-256 over the rules' texts, sorted: neither the order of files and rules nor what stands between them counts. */
  readonly hash: string
  readonly rules: ReadonlyMap<string, PolicyRule>
  readonly needs: RuleNeeds
  evaluate(request: EngineRequest): Evaluation
  /** Every rule whose condition holds, also those that another rule overrode. Slow. */
  matching(request: EngineRequest): ReadonlySet<string>
  /** Frees the parsed rules. A disposed set denies everything. */
  dispose(): void
}

export interface PolicyProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

export type CompileResult =
  | { readonly kind: 'compiled'; readonly set: PolicySet }
  | { readonly kind: 'invalid'; readonly problems: readonly PolicyProblem[] }

export interface PolicySources {
  readonly autonomy: Autonomy
  readonly files: readonly PolicyFile[]
}

export function compilePolicies({ autonomy, files }: PolicySources): CompileResult {
  return compileExactly({ autonomy, files: [...bundledFiles(autonomy), ...files] })
}

/** The rules that hold before the operator writes any. */
export function bundledFiles(autonomy: Autonomy): readonly PolicyFile[] {
  return [baseFile, levelFiles[autonomy]]
}

/** Adds no bundled rule; not for use outside this package, where the base rules must always hold. */
export function compileExactly({ autonomy, files }: PolicySources): CompileResult {
  const problems: PolicyProblem[] = []
  const parsed = new Map<string, ParsedStatement>()
  for (const file of files) readFile(file, parsed, problems)
  if (problems.length === 0) problems.push(...schemaProblems(parsed))
  if (problems.length > 0) return { kind: 'invalid', problems }

  const texts = textsOf(parsed.values())
  const loaded = loadRules(texts)
  if (loaded.kind === 'failed') {
    return { kind: 'invalid', problems: [{ file: '', line: 1, message: loaded.message }] }
  }
  const rules = [...parsed.values()].map(({ rule }) => rule)
  const permits = textsOf([...parsed.values()].filter(({ rule }) => rule.effect === 'permit'))
  const memory = new Map<string, Evaluation>()
  const forbids = textsOf([...parsed.values()].filter(({ rule }) => rule.effect === 'forbid'))
  return {
    kind: 'compiled',
    set: {
      autonomy,
      hash: hashOf(parsed),
      rules: new Map(rules.map((rule) => [rule.id, rule])),
      needs: ruleNeeds([...parsed.values()].map(({ json }) => json)),
      evaluate: remembering(memory, loaded.rules.evaluate),
      matching: (request) =>
        new Set([permits, forbids].flatMap((some) => determining(evaluateOnce(some, request)))),
      dispose: () => {
        loaded.rules.release()
        memory.clear()
      },
    },
  }
}

/** In characters: whoever makes calls chooses how long their paths and hosts are. */
const memorySize = { question: 4_000, all: 8_000_000 }

/**
 * The rules do not change and neither does an answer, so a question that was answered is not asked again. The whole
 * question is the key: whatever the engine is given to look at stands in it.
 */
function remembering(
  answers: Map<string, Evaluation>,
  evaluate: PolicySet['evaluate'],
): PolicySet['evaluate'] {
  let size = 0
  return (request) => {
    const question = JSON.stringify(request)
    const known = answers.get(question)
    if (known) return known
    const answer = evaluate(request)
    if (answer.kind === 'failed' || question.length > memorySize.question) return answer
    if (size + question.length > memorySize.all) {
      answers.clear()
      size = 0
    }
    size += question.length
    answers.set(question, answer)
    return answer
  }
}

interface ParsedStatement {
  readonly rule: PolicyRule
  readonly statement: Statement
  readonly json: string
}

function readFile(file: PolicyFile, parsed: Map<string, ParsedStatement>, problems: PolicyProblem[]): void {
  for (const statement of splitStatements(file.text)) {
    if (statement.depth > ruleLimits.depth || statement.operators > ruleLimits.operators) {
      const message = 'this rule is too deep or too long; split it into several'
      problems.push({ file: file.name, line: statement.line, message })
      continue
    }
    const result = parseRule(statement.text)
    if (result.kind === 'invalid') {
      const line = lineOf(statement, result.problem.offset)
      problems.push({ file: file.name, line, message: result.problem.message })
      continue
    }
    const { json } = result
    const id = json.annotations?.['id'] ?? `${file.name}:${statement.line}`
    const earlier = parsed.get(id)
    if (earlier !== undefined) {
      const message = `rule id "${id}" is already used in ${earlier.rule.file}:${earlier.rule.line}`
      problems.push({ file: file.name, line: statement.line, message })
      continue
    }
    const rule: PolicyRule = {
      id,
      file: file.name,
      line: statement.line,
      why: json.annotations?.['why'] ?? '',
      effect: json.effect,
      text: statement.text,
    }
    parsed.set(id, { rule, statement, json: JSON.stringify(json) })
  }
}

function schemaProblems(parsed: ReadonlyMap<string, ParsedStatement>): readonly PolicyProblem[] {
  return validateRules(schemaText, textsOf(parsed.values())).map(({ id, message, offset }) => {
    const found = parsed.get(id)
    return found === undefined
      ? { file: '', line: 1, message }
      : { file: found.rule.file, line: lineOf(found.statement, offset), message }
  })
}

function textsOf(statements: Iterable<ParsedStatement>): Readonly<Record<string, string>> {
  return Object.fromEntries([...statements].map(({ rule }) => [rule.id, rule.text]))
}

function hashOf(parsed: ReadonlyMap<string, ParsedStatement>): string {
  const texts = [...parsed].map(([id, { rule }]) => JSON.stringify([id, rule.text]))
  return createHash('sha256').update(texts.toSorted().join('\n')).digest('hex')
}

function determining(evaluation: Evaluation): readonly string[] {
  return evaluation.kind === 'failed' ? [] : evaluation.determining
}
