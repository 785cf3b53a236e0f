/** Owns what is asked of the gateway about the draft: whether it is sound, and what it would have decided. */
import { useGateway } from '../../environment/queries.ts'
import { usePolicyDraft } from './policy-draft.tsx'

export function useCheck() {
  const { settled } = usePolicyDraft()
  return useGateway(['policy', 'check', JSON.stringify(settled)], (client) => client.checkPolicy(settled), {
    freshMs: 60_000,
  })
}

export function useSimulation(days: number, enabled: boolean) {
  const { settled } = usePolicyDraft()
  return useGateway(
    ['policy', 'simulate', days, JSON.stringify(settled)],
    (client) => client.simulatePolicy(settled, days),
    { enabled, freshMs: 60_000 },
  )
}
