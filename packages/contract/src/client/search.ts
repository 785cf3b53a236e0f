/** The part of the typed client that searches. */
import { searchRoutes } from '../routes/search.ts'
import type { Call } from './call.ts'

export function searchCalls(call: Call) {
  return {
    /** Conversations, notes and files by meaning and by words; `in` names one of them, or a vector collection. */
    search: (asked: { q: string; in?: string; limit?: string }) =>
      call(searchRoutes.search, { query: asked }),
  }
}
