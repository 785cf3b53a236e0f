import { memoryRoutes } from '@countersign/contract/routes'
import { expect, test } from 'vitest'
import { findMemories, memoryFilters } from './filters.ts'

/** Takes what the gateway takes, and refuses what it refuses. */
function strictClient() {
  const asked: unknown[] = []
  return {
    asked,
    memories: async (query: object = {}) => {
      const { limit, offset } = memoryRoutes.memories.request.query.parse(query)
      asked.push(query)
      return { items: [], total: 450, limit, offset }
    },
    searchMemories: async (query: object) => {
      memoryRoutes.searchMemories.request.query.parse(query)
      asked.push(query)
      return []
    },
  }
}

test.each(memoryFilters)('asks for what is %s within the limits of the gateway', async (show) => {
  const client = strictClient()
  await findMemories(client, show, '')
  await findMemories(client, show, 'tea')
  expect(client.asked).toHaveLength(2)
})

test('asks for as many pages as were wanted, and for none that there is not', async () => {
  const client = strictClient()
  expect((await findMemories(client, 'active', '', 2)).total).toBe(450)
  expect(client.asked).toMatchObject([{ offset: '0' }, { offset: '200' }])
})
