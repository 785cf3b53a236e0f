/** Owns the route of the search over everything. */
import { z } from 'zod'
import { SearchAnswer } from '../api-search.ts'
import { define } from './define.ts'

export const searchRoutes = {
  search: define(
    'get',
    '/v1/search',
    'Searches conversations, notes, files and searchable e-mails by meaning and by words, best first.',
    SearchAnswer,
    {
      query: z.object({
        q: z.string().trim().min(1).max(1_000),
        /** Left out, conversations, notes, files and e-mails. */
        in: z.string().min(1).max(50).optional(),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    },
  ),
}
