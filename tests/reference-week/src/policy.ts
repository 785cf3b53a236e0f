/** Owns the policies of the replay: the bundled rules of a level, and no file of an operator. */
import type { Autonomy } from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'

export function compiledFor(autonomy: Autonomy): PolicySet {
  const compiled = compilePolicies({ autonomy, files: [] })
  if (compiled.kind === 'invalid') throw new Error(compiled.problems.map(({ message }) => message).join('; '))
  return compiled.set
}
