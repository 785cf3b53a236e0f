/**
 * Owns Cedar: parsing, validation and evaluation behind values that never throw. Refuses to keep a rule set that
 * was released.
 */
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'

/** One question to Cedar. The context is written anew for each evaluation. */
export interface EngineRequest {
  readonly principal: cedar.TypeAndId
  readonly resource: cedar.TypeAndId
  readonly entities: cedar.Entities
  readonly context: cedar.Context
}

export interface EngineProblem {
  readonly message: string
  /** In bytes from the beginning of the text that was given. */
  readonly offset: number
}

export interface RuleProblem extends EngineProblem {
  readonly id: string
}

export type Evaluation =
  | { readonly kind: 'permitted'; readonly determining: readonly string[] }
  | { readonly kind: 'refused'; readonly determining: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

export type ParsedRule =
  | { readonly kind: 'rule'; readonly json: cedar.PolicyJson }
  | { readonly kind: 'invalid'; readonly problem: EngineProblem }

export interface LoadedRules {
  evaluate(request: EngineRequest): Evaluation
  release(): void
}

export type LoadResult =
  | { readonly kind: 'loaded'; readonly rules: LoadedRules }
  | { readonly kind: 'failed'; readonly message: string }

const action: cedar.TypeAndId = { type: 'Action', id: 'call' }

/**
 * The names of rule sets inside the wasm instance. The instance is one per thread and cannot forget a name, so
 * names are as wide as the instance, and a released one is used again.
 */
const names = { next: 0, free: [] as string[] }

export function parseRule(text: string): ParsedRule {
  return guarded<ParsedRule>(
    () => {
      const answer = cedar.policyToJson(text)
      return answer.type === 'success'
        ? { kind: 'rule', json: answer.json }
        : { kind: 'invalid', problem: problemOf(answer.errors[0]) }
    },
    (message) => ({ kind: 'invalid', problem: { message, offset: 0 } }),
  )
}

export function validateRules(
  schema: string,
  texts: Readonly<Record<string, string>>,
): readonly RuleProblem[] {
  return guarded<readonly RuleProblem[]>(
    () => {
      const answer = cedar.validate({ schema, policies: { staticPolicies: { ...texts } } })
      if (answer.type === 'failure') return answer.errors.map((error) => ({ id: '', ...problemOf(error) }))
      return answer.validationErrors.map(({ policyId, error }) => ({ id: policyId, ...problemOf(error) }))
    },
    (message) => [{ id: '', message, offset: 0 }],
  )
}

/** Parses once; every evaluation afterwards uses the parsed set. */
export function loadRules(texts: Readonly<Record<string, string>>): LoadResult {
  const name = names.free.pop() ?? `rules-${names.next++}`
  const failure = preparse(name, texts)
  if (failure !== null) {
    names.free.push(name)
    return { kind: 'failed', message: failure }
  }
  let released = false
  return {
    kind: 'loaded',
    rules: {
      evaluate(request) {
        if (released) return { kind: 'failed', message: 'this rule set was released' }
        return guarded<Evaluation>(
          () =>
            evaluationOf(
              cedar.statefulIsAuthorized({
                principal: request.principal,
                action,
                resource: request.resource,
                context: request.context,
                preparsedPolicySetId: name,
                entities: request.entities,
              }),
            ),
          failed,
        )
      },
      release() {
        if (released) return
        released = true
        if (preparse(name, {}) === null) names.free.push(name)
      },
    },
  }
}

/** Parses on each call: for explanations only. */
export function evaluateOnce(texts: Readonly<Record<string, string>>, request: EngineRequest): Evaluation {
  return guarded<Evaluation>(
    () =>
      evaluationOf(cedar.isAuthorized({ ...request, action, policies: { staticPolicies: { ...texts } } })),
    failed,
  )
}

function preparse(name: string, texts: Readonly<Record<string, string>>): string | null {
  return guarded(
    () => {
      const answer = cedar.preparsePolicySet(name, { staticPolicies: { ...texts } })
      return answer.type === 'success' ? null : problemOf(answer.errors[0]).message
    },
    (message) => message,
  )
}

/** Cedar skips a rule that fails to evaluate, which for a forbid would open a door; so one failure fails the whole. */
function evaluationOf(answer: cedar.AuthorizationAnswer): Evaluation {
  if (answer.type === 'failure') return failed(problemOf(answer.errors[0]).message)
  const { decision, diagnostics } = answer.response
  const error = diagnostics.errors[0]
  if (error !== undefined)
    return failed(`rule ${error.policyId} could not be evaluated: ${error.error.message}`)
  const determining = diagnostics.reason.length > 1 ? diagnostics.reason.toSorted() : diagnostics.reason
  return { kind: decision === 'allow' ? 'permitted' : 'refused', determining }
}

function failed(message: string): Evaluation {
  return { kind: 'failed', message }
}

function problemOf(error: cedar.DetailedError | undefined): EngineProblem {
  if (error === undefined) return { message: 'unknown error', offset: 0 }
  const help = error.help === null ? '' : ` (${error.help})`
  return { message: error.message + help, offset: error.sourceLocations?.[0]?.start ?? 0 }
}

function guarded<T>(work: () => T, otherwise: (message: string) => T): T {
  try {
    return work()
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error))
  }
}
