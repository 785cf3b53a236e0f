/**
 * Owns which names mean the same model: prefixes that an API allows, dates, `-latest`. Refuses everything that is only
 * alike: a name that is not known this way is not known.
 */
import type { ProviderKind } from '@countersign/contract'

/** The name itself and what else it may stand under, the likeliest first. */
export function spellingsOf(kind: ProviderKind, model: string): string[] {
  const spellings = [model]
  if (kind === 'google') spellings.push(model.replace(/^(?:models|tunedModels)\//, ''))
  if (kind === 'fireworks' && !model.includes('/')) spellings.push(`accounts/fireworks/models/${model}`)
  if (kind === 'openrouter') spellings.push(model.replace(routedSuffix, ''))
  return [...new Set(spellings)]
}

/** Whose model a name of Bedrock or Vertex stands for; undefined where that is not known. */
export function resoldAs(
  kind: ProviderKind,
  model: string,
): { readonly kind: ProviderKind; readonly model: string } | undefined {
  if (kind === 'vertex') return { kind: 'google', model }
  if (kind !== 'bedrock') return undefined
  const name = /^(?:[a-z]{2,6}\.)?anthropic\.(claude-[a-z0-9.-]+?)(?:-v\d+(?::\d+)?)?$/.exec(model)?.[1]
  return name === undefined ? undefined : { kind: 'anthropic', model: name }
}

/** The name without its date: dated versions and the undated name are one family. */
export function familyOf(model: string): string {
  return model.replace(dated, '')
}

/** What a date in the name says, as days since 1970; null where there is none. */
export function dateIn(model: string): number | null {
  const found = model.match(/-(20\d{2})-?(\d{2})-?(\d{2})$/)
  if (found === null) return null
  const time = Date.parse(`${found[1]}-${found[2]}-${found[3]}T00:00:00Z`)
  return Number.isNaN(time) ? null : Math.floor(time / 86_400_000)
}

/**
 * Only whole dates. Shorter ones, such as `-0613` or `-2411`, tell apart models of different prices, and some of them
 * are no dates.
 */
const dated =
  /-(?:20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|latest)$/

/**
 * What OpenRouter allows behind a model's name without making it dearer. Not `:nitro`, `:online` and `:exacto`: they
 * choose dearer servers or add a search, and what they cost is not known.
 */
const routedSuffix = /:(?:free|latest|floor|thinking)$/
