/** Owns the list of translations. Each is fetched by the browsers that want it; a new one is a folder and a row here. */
import type { Catalogues } from '../language/current.ts'

export const translations: Readonly<Record<string, () => Promise<Catalogues>>> = {
  de: async () => (await import('./de/index.ts')).german,
}
