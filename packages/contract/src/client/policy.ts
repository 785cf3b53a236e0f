/** The calls about the policy: what is in force, what was, what another would decide, and the change itself. */
import type { ApplyPolicy, PolicyDocument } from '../api-policy.ts'
import { policyRoutes } from '../routes/policy.ts'
import type { Call } from './call.ts'

/** Thousands of calls may be judged again. */
const longestSimulationMs = 60_000

export function policyCalls(call: Call) {
  return {
    policy: () => call(policyRoutes.policy),
    checkPolicy: (document: PolicyDocument) => call(policyRoutes.checkPolicy, { body: { document } }),
    simulatePolicy: (document: PolicyDocument, days: number) =>
      call(policyRoutes.simulatePolicy, { body: { document, days } }, longestSimulationMs),
    applyPolicy: (change: ApplyPolicy) => call(policyRoutes.applyPolicy, { body: change }),
    policyVersions: () => call(policyRoutes.policyVersions),
    policyVersion: (number: number) => call(policyRoutes.policyVersion, { params: { number } }),
    policyAsOf: (entry: number) => call(policyRoutes.policyAsOf, { params: { entry } }),
  }
}
