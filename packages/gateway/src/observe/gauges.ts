/** Owns what is measured by looking: the state of things at the moment when somebody asks for the metrics. */
import type { OperatorId } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { ProviderAdmin } from '../model-settings/provider-admin.ts'
import type { GaugeReading } from './metrics.ts'

export async function readGauges(parts: {
  readonly operator: OperatorId
  readonly views: Pick<Views, 'counts'>
  readonly providers: Pick<ProviderAdmin, 'list'>
  readonly budgets: Pick<Kernel['budgets'], 'list'>
}): Promise<GaugeReading> {
  const [counts, providers, budgets] = await Promise.all([
    parts.views.counts(parts.operator),
    parts.providers.list(),
    parts.budgets.list(parts.operator),
  ])
  return {
    runs: { running: counts.running, parked: counts.parked, queued: counts.queued },
    approvals: counts.approvals,
    questions: counts.questions,
    ledger: { size: counts.ledger_size, signed: counts.signed },
    breakers: providers.map(({ name, health }) => ({ provider: name, state: health.breaker })),
    budgets,
  }
}
