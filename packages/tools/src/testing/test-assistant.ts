/** A assistant for tests: it recalls by shared words and keeps what it was told to begin. Never for use outside tests. */
import {
  type AssistantServices,
  type ChatPerson,
  type FoundEpisode,
  idFrom,
  type JsonObject,
  type MemoryType,
  noAssistantServices,
  type Records,
  type WorkOrder,
} from '@countersign/contract'
import { createTestContent, type TestContent } from './test-content.ts'

export interface TestAssistant extends AssistantServices {
  readonly begun: WorkOrder[]
  readonly held: Set<string>
  readonly content: TestContent
  /** What a search of the past finds. */
  readonly episodes: FoundEpisode[]
}

const testPeople: readonly ChatPerson[] = [
  { channel: 'telegram', peer: '4711', name: 'Ana', role: 'trusted', chat: '4711' },
]

export function createTestAssistant(records: Records): TestAssistant {
  const begun: WorkOrder[] = []
  const held = new Set<string>()
  const episodes: FoundEpisode[] = []
  return {
    profile: noAssistantServices.profile,
    begun,
    held,
    episodes,
    async recall({ text, limit }) {
      const contentOf = (data: JsonObject) => (typeof data['content'] === 'string' ? data['content'] : '')
      const words = text.toLowerCase().split(/\W+/).filter(Boolean)
      const page = await records.list('memories', { limit: 1_000 })
      return page.records
        .filter(({ data }) => data['status'] === 'active')
        .filter(({ data }) => words.some((word) => contentOf(data).toLowerCase().includes(word)))
        .slice(0, limit)
        .map(({ id, data, label, createdAt }) => ({
          id,
          content: contentOf(data),
          type: data['type'] as MemoryType,
          importance: Number(data['importance']),
          tags: data['tags'] as string[],
          score: 1,
          createdAt,
          label,
        }))
    },
    content: createTestContent(records),
    origins: noAssistantServices.origins,
    searchHistory: ({ limit }) => Promise.resolve(episodes.slice(0, limit)),
    begin(order) {
      begun.push(order)
      return Promise.resolve({
        session: order.session ?? idFrom('ses', begun.length.toString(16).padStart(32, '0')),
      })
    },
    schedules: noAssistantServices.schedules,
    chats: {
      people: () => Promise.resolve(testPeople),
      send: (_to, _text) => Promise.resolve('dl_test'),
    },
    hold(ids, isHeld) {
      for (const id of ids)
        if (isHeld) held.add(id)
        else held.delete(id)
      return Promise.resolve()
    },
    async forget(ids) {
      for (const id of ids) {
        const found = await records.get('memories', id)
        if (found) await records.remove('memories', id, found.version)
      }
      return ids.length
    },
  }
}
