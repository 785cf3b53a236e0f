/** The part of the typed client that speaks of memory. */
import type { AddMemory, EditMemory } from '../api-memory.ts'
import { memoryRoutes } from '../routes/memory.ts'
import type { Call, StreamCall } from './call.ts'

const longestExportMs = 600_000

export function memoryCalls(call: Call, stream: StreamCall) {
  return {
    /** All memories as JSON lines, as they come. */
    exportMemories: (): Promise<ReadableStream<Uint8Array> | null> =>
      stream(memoryRoutes.exportMemories, {}, longestExportMs),
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
    ) => call(memoryRoutes.memories, { query: filter }),
    memory: (id: string) => call(memoryRoutes.memory, { params: { id } }),
    addMemory: (memory: AddMemory) => call(memoryRoutes.addMemory, { body: memory }),
    editMemory: (id: string, changes: EditMemory) =>
      call(memoryRoutes.editMemory, { params: { id }, body: changes }),
    /** The memory stays as it was, superseded by a new one. */
    correctMemory: (id: string, content: string) =>
      call(memoryRoutes.correctMemory, { params: { id }, body: { content } }),
    /** What waits for the operator, the latest first. */
    memorySuggestions: (filter: { limit?: string; offset?: string } = {}) =>
      call(memoryRoutes.memorySuggestions, { query: filter }),
    acceptMemory: (id: string) => call(memoryRoutes.acceptMemory, { params: { id } }),
    rejectMemory: (id: string) => call(memoryRoutes.rejectMemory, { params: { id } }),
    /** For good. With `dryRun` it says what would go. */
    forgetMemories: (ids: readonly string[], dryRun = false) =>
      call(memoryRoutes.forgetMemories, { body: { ids: [...ids], dryRun } }),
    searchMemories: (asked: { q: string; type?: string; tag?: string; goal?: string; limit?: string }) =>
      call(memoryRoutes.searchMemories, { query: asked }),
    memoryStats: () => call(memoryRoutes.memoryStats),
    neverRemembered: () => call(memoryRoutes.neverRemembered),
    neverRemember: (words: string) => call(memoryRoutes.neverRemember, { body: { words } }),
    rememberAgain: (id: string) => call(memoryRoutes.rememberAgain, { params: { id } }),
  }
}
