/** Any number of skills wait for a review. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/extension.ts',
    from: 'export const mostProposals = 10',
    to: 'export const mostProposals = 10_000',
  },
])
