/** Judges past calls by a draft beside the policy in force, and lets go of what it compiled. */
import type { OperatorId, PolicyDocument } from '@countersign/contract'
import { compiled, type Policies } from '../policies/policies.ts'
import type { Store } from '../store/store.ts'
import { type JudgedAgain, type SimulationOptions, simulate } from './simulate.ts'

export { countPastCalls } from './simulate.ts'

export async function simulateDocument(
  store: Store,
  operator: OperatorId,
  options: SimulationOptions & { readonly policies: Policies; readonly document: PolicyDocument },
): Promise<JudgedAgain[]> {
  const { policies, document, ...rest } = options
  const inForce = policies.version().document
  // Compiled anew: the live one may be let go of while the calls are judged.
  const before = compiled(inForce)
  try {
    const after = compiled(document)
    try {
      return await simulate(
        store,
        operator,
        {
          before: { set: before, passkeyTools: inForce.passkeyTools },
          after: { set: after, passkeyTools: document.passkeyTools },
        },
        rest,
      )
    } finally {
      after.dispose()
    }
  } finally {
    before.dispose()
  }
}
