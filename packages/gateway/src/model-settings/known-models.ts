/** Owns which models of a provider are known, by the catalogue, by its server or by the operator. Refuses a name that nobody knows. */
import { CountersignError } from '@countersign/contract'
import { kinds } from '@countersign/models'
import type { LoadedCatalogue } from './catalogue-store.ts'
import { closeMatches } from './close-match.ts'
import { type LiveModels, listsItsOwnModels } from './live-models.ts'
import type { ModelChoices, ProviderChoice } from './model-choices.ts'

/** Every model of a provider that is known by any way, each once. */
export async function modelsOf(
  provider: ProviderChoice,
  choices: ModelChoices,
  { catalogue }: LoadedCatalogue,
  live: LiveModels,
): Promise<string[]> {
  const { name, kind } = provider
  const own = (ref: string) => (ref.startsWith(`${name}/`) ? [ref.slice(name.length + 1)] : [])
  const listed = (['chat', 'embeddings'] as const).flatMap((serves) =>
    catalogue.list(kind, serves).map(({ model }) => model),
  )
  return [
    ...new Set([
      ...(listsItsOwnModels(provider) && provider.enabled ? await live.list(provider) : []),
      ...listed,
      ...[...choices.overrides.keys()].flatMap(own),
      ...[...choices.routes.values()].flatMap(({ models }) => models.flatMap(own)),
    ]),
  ]
}

/** A server of one's own may have what nobody heard of, so it is asked for anything. */
export async function requireModel(
  provider: ProviderChoice,
  model: string,
  choices: ModelChoices,
  open: LoadedCatalogue,
  live: LiveModels,
): Promise<void> {
  const names = await modelsOf(provider, choices, open, live)
  if (open.catalogue.find(provider.kind, model) || names.includes(model)) return
  if (kinds[provider.kind].local || listsItsOwnModels(provider)) return
  const ref = `${provider.name}/${model}`
  const near = closeMatches(model, names).map((name) => `${provider.name}/${name}`)
  throw new CountersignError('not_found', `There is no known model ${ref}.`, {
    next:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}? For a new model, fetch the catalogue with \`countersign model refresh\`, or set its price with \`countersign model price ${ref}\`.`
        : `See them with \`countersign model list --provider ${provider.name}\`. For a new model, fetch the catalogue with \`countersign model refresh\`, or set its price with \`countersign model price ${ref}\`.`,
    details: { near },
  })
}
