/** The calls about the policy: what is in force, what was, what another would decide, and the change itself. */
import type { ApplyPolicy, PolicyDocument } from '../api-policy.ts'
import type { Call } from './call.ts'

/** Thousands of calls may be judged again. */
const longestSimulationMs = 60_000

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/policy.ts')).policyRoutes

export function policyCalls(call: Call) {
  return {
    policy: async () => call((await routes()).policy),
    checkPolicy: async (document: PolicyDocument) =>
      call((await routes()).checkPolicy, { body: { document } }),
    simulatePolicy: async (document: PolicyDocument, days: number) =>
      call((await routes()).simulatePolicy, { body: { document, days } }, longestSimulationMs),
    applyPolicy: async (change: ApplyPolicy) => call((await routes()).applyPolicy, { body: change }),
    policyVersions: async () => call((await routes()).policyVersions),
    policyVersion: async (number: number) => call((await routes()).policyVersion, { params: { number } }),
    policyAsOf: async (entry: number) => call((await routes()).policyAsOf, { params: { entry } }),
  }
}
