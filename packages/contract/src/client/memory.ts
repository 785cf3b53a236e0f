/** The part of the typed client that speaks of memory. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  type AddMemory,
  type EditMemory,
  FoundMemory,
  MemoriesForgotten,
  MemoryChanged,
  MemoryDetail,
  MemoryList,
  MemoryStats,
  NeverAdded,
  NeverView,
} from '../api-memory.ts'
import { type Call, part, query } from './call.ts'

export function memoryCalls(call: Call) {
  const one = (id: string) => `/v1/memories/${part(id)}`
  return {
    memories: (
      filter: {
        status?: string
        type?: string
        tag?: string
        goal?: string
        q?: string
        limit?: string
        offset?: string
      } = {},
    ) => call(MemoryList, 'GET', `/v1/memories${query(filter)}`),
    memory: (id: string) => call(MemoryDetail, 'GET', one(id)),
    addMemory: (memory: AddMemory) => call(MemoryChanged, 'POST', '/v1/memories', memory),
    editMemory: (id: string, changes: EditMemory) => call(MemoryChanged, 'PUT', one(id), changes),
    /** The memory stays as it was, superseded by a new one. */
    correctMemory: (id: string, content: string) =>
      call(MemoryChanged, 'POST', `${one(id)}/correct`, { content }),
    /** What waits for the operator, the latest first. */
    memorySuggestions: (filter: { limit?: string; offset?: string } = {}) =>
      call(MemoryList, 'GET', `/v1/memory-suggestions${query(filter)}`),
    acceptMemory: (id: string) => call(MemoryChanged, 'POST', `${one(id)}/accept`, {}),
    rejectMemory: (id: string) => call(MemoryChanged, 'POST', `${one(id)}/reject`, {}),
    /** For good. With `dryRun` it says what would go. */
    forgetMemories: (ids: readonly string[], dryRun = false) =>
      call(MemoriesForgotten, 'POST', '/v1/memory-forget', { ids, dryRun }),
    searchMemories: (asked: { q: string; type?: string; tag?: string; goal?: string; limit?: string }) =>
      call(z.array(FoundMemory), 'GET', `/v1/memory-search${query(asked)}`),
    memoryStats: () => call(MemoryStats, 'GET', '/v1/memory-stats'),
    neverRemembered: () => call(z.array(NeverView), 'GET', '/v1/memory-never'),
    neverRemember: (words: string) => call(NeverAdded, 'POST', '/v1/memory-never', { words }),
    rememberAgain: (id: string) => call(Receipt, 'DELETE', `/v1/memory-never/${part(id)}`),
  }
}
