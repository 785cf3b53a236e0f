/** Owns which models are chosen for which purpose. Refuses a model that could not do it, before it is chosen. */
import {
  CountersignError,
  localSpeechPurpose,
  Purpose,
  type RouteChanged,
  type RouteView,
  type SetRoute,
} from '@countersign/contract'
import { doesServe, isMediaPurpose, partsOf, type Route, routeOf } from '@countersign/models'
import type { z } from 'zod'
import type { ActingOperator } from '../server/secrets.ts'
import type { CatalogueStore } from './catalogue-store.ts'
import { requireModel } from './known-models.ts'
import { type LiveModels, listsItsOwnModels } from './live-models.ts'
import type { ModelChoices } from './model-choices.ts'
import { providerNamed, requireKnown, type StoredChoices } from './stored-choices.ts'

export interface RouteAdmin {
  routes(): Promise<RouteView[]>
  /** What is left out stays; with nothing at all the purpose follows chat again. */
  setRoute(by: ActingOperator, purpose: Purpose, route: SetRoute): Promise<z.infer<typeof RouteChanged>>
}

export interface RouteAdminParts {
  readonly settings: StoredChoices
  readonly catalogueStore: CatalogueStore
  readonly live: LiveModels
  readonly next: (
    purpose: Purpose,
  ) => Promise<{ readonly next: string | null; readonly problem: string | null }>
}

export function createRouteAdmin({ settings, catalogueStore, live, next }: RouteAdminParts): RouteAdmin {
  async function viewOfApproval(purpose: Purpose, choices: ModelChoices): Promise<RouteView> {
    const { strategy, models } = effective(choices, purpose)
    const coming = await next(purpose)
    return {
      purpose,
      strategy,
      models: [...models],
      next: coming.next,
      problem: coming.problem ?? notListed(models, choices, live),
      own: choices.routes.has(purpose),
    }
  }

  return {
    async routes() {
      const choices = await settings.read()
      return Promise.all(Purpose.options.map((purpose) => viewOfApproval(purpose, choices)))
    },
    async setRoute(by, purpose, { strategy, models }) {
      const choices = await settings.read()
      if (models) await requireAble(purpose, models, choices)
      const before = effective(choices, purpose)
      const wanted =
        strategy === undefined && models === undefined
          ? null
          : { strategy: strategy ?? before.strategy, models: [...new Set(models ?? before.models)] }
      const ledger = await settings.setRoute(by, purpose, wanted)
      return { route: await viewOfApproval(purpose, await settings.read()), ledger }
    },
  }

  async function requireAble(
    purpose: Purpose,
    models: readonly string[],
    choices: ModelChoices,
  ): Promise<void> {
    const open = await catalogueStore.open(choices)
    for (const ref of models) {
      const spoken = localSpeechPurpose(ref)
      if (spoken === purpose) continue
      if (spoken !== undefined)
        throw new CountersignError('usage', `${ref} is for ${spoken}, not for ${purpose}.`, {
          next: `Choose it for that: \`countersign model use ${ref} --for ${spoken}\`.`,
        })
      const { provider: name, model } = partsOf(ref)
      const provider = requireKnown(choices, name)
      if (isMediaPurpose(purpose)) {
        const isConversing = open.catalogue.find(provider.kind, model) !== undefined
        if (!isConversing && doesServe(provider.kind, purpose)) continue
        throw new CountersignError(
          'usage',
          isConversing
            ? `${ref} is a model that converses, not for ${purpose}.`
            : `The provider ${name} (${provider.kind}) has no models for ${purpose}.`,
          { next: 'Add a provider that has, such as openai: `countersign provider add openai`.' },
        )
      }
      await requireModel(provider, model, choices, open, live)
      const { serves = 'chat' } = open.catalogue.factsFor(
        { name, kind: provider.kind, baseUrl: provider.url },
        model,
      )
      const wanted = purpose === 'embeddings' ? 'embeddings' : 'chat'
      if (serves !== wanted && open.catalogue.find(provider.kind, model))
        throw new CountersignError('usage', `${ref} is a model for ${serves}, not for ${purpose}.`, {
          next: 'See them with `countersign model list`.',
        })
    }
  }
}

function effective(choices: ModelChoices, purpose: Purpose): Route {
  return routeOf({ providers: [], routes: Object.fromEntries(choices.routes) }, purpose)
}

/** A model that its server did not list when it was last asked. It may be loaded when it is called. */
function notListed(models: readonly string[], choices: ModelChoices, live: LiveModels): string | null {
  const doubtful = models.filter((ref) => {
    const { provider: name, model } = partsOf(ref)
    const provider = providerNamed(choices, name)
    const listed = live.known(name)
    return provider && listsItsOwnModels(provider) && listed.length > 0 && !listed.includes(model)
  })
  return doubtful.length > 0 ? `Its server does not list ${doubtful.join(', ')}.` : null
}
