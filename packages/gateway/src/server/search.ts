/** Owns the route of the search over everything. Looking is for the operator whose texts they are. */
import type { ContentSearch } from '@countersign/assistant'
import { searchRoutes } from '@countersign/contract/routes'
import { type App, route } from './route.ts'

export function addSearchRoutes(app: App, { search }: { readonly search: ContentSearch }): void {
  app.openapi(route(searchRoutes.search), async (context) => {
    const { q, in: collection, limit } = context.req.valid('query')
    const asked = { text: q, limit, ...(collection === undefined ? {} : { collection }) }
    return context.json(await search(context.get('speaker').operator, asked), 200)
  })
}
