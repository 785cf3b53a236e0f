/** Owns the policy that holds now. A set that does not compile never goes live: the last good one stays. */
import { type Autonomy, CountersignError, type OperatorId } from '@countersign/contract'
import { compilePolicies, type PolicyFile, type PolicySet } from '@countersign/policy'
import type { Store } from '../store/store.ts'

export interface Policies {
  current(): PolicySet
  /** Compiles and takes over, or throws `policy_invalid` and changes nothing. Recorded when it differs. */
  load(sources: { autonomy: Autonomy; files: readonly PolicyFile[] }): Promise<PolicySet>
}

export function createPolicies(options: {
  store: Store
  operator: OperatorId
  /** Told after every change, so that executors refuse permits of the old policy. */
  changed: (set: PolicySet) => void
}): Policies {
  let live: PolicySet | undefined

  return {
    current() {
      if (!live) throw new CountersignError('policy_invalid', 'No policy is loaded.')
      return live
    },
    async load(sources) {
      const compiled = compilePolicies(sources)
      if (compiled.kind === 'invalid') {
        const first = compiled.problems.map((problem) => `${problem.file}:${problem.line} ${problem.message}`)
        throw new CountersignError('policy_invalid', `The policy does not hold together: ${first.join('; ')}`)
      }
      await options.store.transact(options.operator, async (unit) => {
        const changed = await unit.db
          .updateTable('operators')
          .set({ policy_hash: compiled.set.hash, autonomy: sources.autonomy })
          .where('policy_hash', 'is distinct from', compiled.set.hash)
          .returning('id')
          .executeTakeFirst()
        if (!changed) return
        unit.record({
          type: 'policy.loaded',
          actor: { kind: 'gateway', id: 'gateway' },
          data: {
            hash: compiled.set.hash,
            autonomy: sources.autonomy,
            files: sources.files.map((file) => file.name),
          },
        })
      })
      live?.dispose()
      live = compiled.set
      options.changed(compiled.set)
      return compiled.set
    },
  }
}
