/** Reads which requests the gateway takes from its own API document, so that a new route is tried without being named here. */

export interface Route {
  readonly method: string
  /** As the document writes it, with names in braces. */
  readonly template: string
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export async function routesOf(url: string): Promise<Route[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument
  return Object.entries(document.paths)
    .flatMap(([template, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), template })),
    )
    .toSorted((left, right) => nameOf(left).localeCompare(nameOf(right), 'en'))
}

export function nameOf({ method, template }: Route): string {
  return `${method} ${template}`
}

/** The path with real ids in it where some are known from the lists of the operator, and made-up ones elsewhere. */
export function pathOf({ template }: Route, ids: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const list = template.slice(0, at).replace(/\/$/, '')
    return ids.get(list) ?? `no-such-${name}`
  })
}
