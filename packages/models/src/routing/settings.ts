/** What the operator decided about providers and routes. Read anew for every call, so that a change holds at once. */
import type { Purpose, Strategy } from '@countersign/contract'
import type { ProviderConfig } from '../providers/config.ts'

export interface RouterSettings {
  /** In the operator's order. */
  readonly providers: readonly RoutedProvider[]
  readonly routes: Readonly<Partial<Record<Purpose, Route>>>
}

export interface RoutedProvider {
  readonly config: ProviderConfig
  readonly enabled: boolean
  /** Lower comes first in the strategy `fallback`. */
  readonly priority: number
}

export interface Route {
  readonly strategy: Strategy
  /** References, `provider/model`. Empty means every model that can do it. */
  readonly models: readonly string[]
}

/** What a model does that converses. */
const conversing: ReadonlySet<Purpose> = new Set(['chat', 'planning', 'summaries', 'extraction', 'vision'])

const unset: Route = { strategy: 'balanced', models: [] }

/** A purpose without a route of its own follows chat. */
export function routeOf(settings: RouterSettings, purpose: Purpose): Route {
  const own = settings.routes[purpose]
  if (own) return own
  const chat = settings.routes.chat ?? unset
  // A model that converses does not embed, draw or speak, so only the strategy can be followed.
  return conversing.has(purpose) ? chat : { ...chat, models: [] }
}
