/** Owns how a model is named, `provider/model`. The model may hold slashes of its own; the provider has none. */

export function refOf(provider: string, model: string): string {
  return `${provider}/${model}`
}

export function partsOf(ref: string): { readonly provider: string; readonly model: string } {
  const slash = ref.indexOf('/')
  return slash < 0
    ? { provider: ref, model: '' }
    : { provider: ref.slice(0, slash), model: ref.slice(slash + 1) }
}
