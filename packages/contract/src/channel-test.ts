/** Owns what became of the test lines of a channel, by its list of deliveries. Pure. */
import type { DeliveryView } from './api-channels.ts'

/** `unknown`: it may have arrived; only a look at the chat tells. */
export type ChannelTestOutcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly problem: string | null }

type TestDelivery = Pick<DeliveryView, 'id' | 'kind' | 'state' | 'problem'>

/** Those that stand there already, so that a later test is told from them. */
export function testsIn(deliveries: readonly TestDelivery[]): ReadonlySet<string> {
  return new Set(deliveries.filter(({ kind }) => kind === 'test').map(({ id }) => id))
}

/** One that arrived is enough: a person looks at one chat. */
export function channelTestOutcome(
  deliveries: readonly TestDelivery[],
  before: ReadonlySet<string>,
): ChannelTestOutcome {
  const own = deliveries.filter(({ id, kind }) => kind === 'test' && !before.has(id))
  const has = (state: DeliveryView['state']) => own.some((each) => each.state === state)
  if (has('sent')) return { kind: 'sent' }
  if (own.length === 0 || has('waiting') || has('sending')) return { kind: 'waiting' }
  if (has('unknown')) return { kind: 'unknown' }
  return { kind: 'failed', problem: own.find(({ problem }) => problem !== null)?.problem ?? null }
}
