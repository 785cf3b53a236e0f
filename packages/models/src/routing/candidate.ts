/** Owns which models may answer a request. Leaves out those that cannot, and says why when none is left. */
import type { ModelFailure, ModelUsage } from '@countersign/agent'
import type { Purpose, Strategy } from '@countersign/contract'
import type { ModelFacts } from '../catalogue/facts.ts'
import type { ProviderConfig } from '../providers/config.ts'
import { kinds } from '../providers/kinds.ts'
import { holdsAll, meets, missingFrom, type RequestNeeds } from './needs.ts'
import { partsOf, refOf } from './ref.ts'
import { type RoutedProvider, type RouterSettings, routeOf } from './settings.ts'
import { typicalUsage } from './typical-usage.ts'

export interface Candidate {
  readonly ref: string
  readonly provider: ProviderConfig
  readonly model: string
  readonly facts: ModelFacts
  /** In the operator's order. Models that nobody named share the place of their provider. */
  readonly place: number
  /** What a usual reply to this request would cost. */
  readonly expectedNanos: number
  /** The conversation is longer than it holds: it is asked with what is newest. */
  readonly cut: boolean
}

export interface RoutingRequest {
  readonly purpose: Purpose
  /** A reference, where the caller wants this one. */
  readonly model?: string | undefined
  readonly needs: RequestNeeds
}

export interface CandidateCatalogue {
  facts(provider: ProviderConfig, model: string): ModelFacts
  /** For a route that names none. */
  models(provider: ProviderConfig): readonly string[]
  readonly prices: { cost(facts: ModelFacts, usage: ModelUsage): number }
}

export type CandidateChoice =
  | {
      readonly kind: 'found'
      readonly strategy: Strategy
      /** Whether somebody named these models; otherwise they are all that the catalogue has. */
      readonly named: boolean
      /** In no order yet. */
      readonly candidates: readonly Candidate[]
    }
  | { readonly kind: 'none'; readonly failure: ModelFailure }

/** The largest catalogue has about 350. */
const MOST_MODELS_OF_ONE_PROVIDER = 500

export function chooseCandidates(
  asked: RoutingRequest,
  settings: RouterSettings,
  catalogue: CandidateCatalogue,
): CandidateChoice {
  const enabled = settings.providers.filter((provider) => provider.enabled)
  if (enabled.length === 0) return none(noProvider(settings.providers))

  const route = routeOf(settings, asked.purpose)
  const refs = namedBy(asked, route)
  const listed = refs.length > 0 ? namedModels(refs, enabled) : allModels(enabled, catalogue)
  if (listed.length === 0) return none(nothingListed(asked, refs, settings))

  const usage = typicalUsage(asked.needs)
  const known = listed.map((entry) => ({ ...entry, facts: catalogue.facts(entry.provider, entry.model) }))
  const talking = refs.length > 0 ? talkingNeeds(known, asked.needs) : asked.needs
  const needs = seeingNeeds(known, talking, asked)
  const able = known.filter(({ facts }) => meets(facts, needs))
  if (able.length === 0)
    return none(
      nothingAble(
        { ...asked, needs },
        refs,
        known.map(({ facts }) => facts),
      ),
    )
  return {
    kind: 'found',
    strategy: route.strategy,
    named: refs.length > 0,
    candidates: able.map((entry) => ({
      ...entry,
      ref: refOf(entry.provider.name, entry.model),
      cut: !holdsAll(entry.facts, needs),
      expectedNanos: catalogue.prices.cost(entry.facts, usage),
    })),
  }
}

/** Where every model that somebody chose has no tools, they wanted one to talk with. */
function talkingNeeds(known: readonly { readonly facts: ModelFacts }[], needs: RequestNeeds): RequestNeeds {
  if (known.some(({ facts }) => facts.capabilities.includes('tools'))) return needs
  return { ...needs, capabilities: needs.capabilities.filter((need) => need !== 'tools') }
}

/**
 * A model that sees comes first where pictures are in the conversation. Where none does, or one was asked for by its
 * name that does not, it is told of them in words.
 */
function seeingNeeds(
  known: readonly (ListedModel & { readonly facts: ModelFacts })[],
  needs: RequestNeeds,
  { purpose, model }: RoutingRequest,
): RequestNeeds {
  if (purpose === 'vision' || !needs.capabilities.includes('vision')) return needs
  const wanted = known.find(({ provider, model: name }) => refOf(provider.name, name) === model)
  const isSeen = wanted
    ? wanted.facts.capabilities.includes('vision')
    : known.some(({ facts }) => meets(facts, needs))
  return isSeen ? needs : { ...needs, capabilities: needs.capabilities.filter((need) => need !== 'vision') }
}

type ListedModel = Pick<Candidate, 'provider' | 'model' | 'place'>

/** Who asks for one model gets no other, unless the operator's order is there to fall back on. */
function namedBy(
  { model }: RoutingRequest,
  route: { strategy: Strategy; models: readonly string[] },
): readonly string[] {
  if (model === undefined) return route.models
  return route.strategy === 'fallback' ? [model, ...route.models] : [model]
}

function namedModels(refs: readonly string[], enabled: readonly RoutedProvider[]): readonly ListedModel[] {
  return [...new Set(refs)].flatMap((ref, place) => {
    const { provider: name, model } = partsOf(ref)
    const found = enabled.find(({ config }) => config.name === name)
    return found && model !== '' ? [{ provider: found.config, model, place }] : []
  })
}

function allModels(
  enabled: readonly RoutedProvider[],
  catalogue: CandidateCatalogue,
): readonly ListedModel[] {
  return enabled
    .filter(({ config }) => !lacksKey(config))
    .toSorted((one, other) => one.priority - other.priority)
    .flatMap(({ config }, place) =>
      [...new Set(catalogue.models(config))]
        .slice(0, MOST_MODELS_OF_ONE_PROVIDER)
        .map((model) => ({ provider: config, model, place })),
    )
}

/** Nobody chose such a provider for this call, so it is passed over instead of failing the call. */
function lacksKey({ kind, apiKey }: ProviderConfig): boolean {
  return kinds[kind].key === 'needed' && (apiKey ?? '') === ''
}

function none(failure: ModelFailure): CandidateChoice {
  return { kind: 'none', failure }
}

function noProvider(providers: readonly RoutedProvider[]): ModelFailure {
  return {
    kind: 'key',
    message:
      providers.length === 0
        ? 'No model provider is configured. Add one under Models, or with `countersign provider add`.'
        : `Every model provider is switched off (${providers.map(({ config }) => config.name).join(', ')}). Switch one on, or add another, under Models or with \`countersign provider add\`.`,
  }
}

function nothingListed(
  asked: RoutingRequest,
  refs: readonly string[],
  settings: RouterSettings,
): ModelFailure {
  if (refs.length > 0) {
    return {
      kind: 'invalid',
      message: `${subjectOf(asked, refs)}, but no provider of that name is configured and switched on. See which are: countersign provider list`,
    }
  }
  const keyless = settings.providers.filter(({ enabled, config }) => enabled && lacksKey(config))
  return keyless.length > 0
    ? {
        kind: 'key',
        message: `No API key is configured for ${keyless.map(({ config }) => config.name).join(', ')}. Add one: countersign provider add`,
      }
    : {
        kind: 'invalid',
        message: `No model is known for ${settings.providers
          .filter(({ enabled }) => enabled)
          .map(({ config }) => config.name)
          .join(
            ', ',
          )}, and the route of ${asked.purpose} names none. See which there are: countersign model list`,
      }
}

function nothingAble(
  asked: RoutingRequest,
  refs: readonly string[],
  models: readonly ModelFacts[],
): ModelFailure {
  const { capabilities } = asked.needs
  const filter = capabilities.length > 0 ? ` --needs ${capabilities.join(',')}` : ''
  const missing = missingFrom(models, asked.needs)
  return {
    kind: 'invalid',
    message:
      refs.length > 0
        ? `${subjectOf(asked, refs)}, but none of these ${missing}. See which models do: countersign model list${filter}`
        : `No model of the configured providers ${missing}. See which models do: countersign model list${filter}`,
  }
}

function subjectOf(asked: RoutingRequest, refs: readonly string[]): string {
  return asked.model === undefined
    ? `The route of ${asked.purpose} names ${refs.join(', ')}`
    : `This call asks for ${refs.join(', ')}`
}
