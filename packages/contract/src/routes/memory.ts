/** Owns the table of the routes of memory. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  AddMemory,
  CorrectMemory,
  EditMemory,
  ForgetMemories,
  FoundMemory,
  MemoriesForgotten,
  MemoryChanged,
  MemoryDetail,
  MemoryList,
  MemoryStats,
  NeverAdded,
  NeverView,
  NeverWords,
} from '../api-memory.ts'
import { MemoryGoal, MemoryId, MemoryStatus, MemoryType } from '../memory/memory.ts'
import { define, defineStream } from './define.ts'

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
})
const Filter = Page.extend({
  status: MemoryStatus.optional(),
  type: MemoryType.optional(),
  tag: z.string().min(1).max(50).optional(),
  goal: MemoryGoal.optional(),
  q: z.string().min(1).max(500).optional(),
})
const one = { params: z.object({ id: MemoryId }) }
const Search = z.object({
  q: z.string().min(1).max(1_000),
  type: MemoryType.optional(),
  tag: z.string().min(1).max(50).optional(),
  goal: MemoryGoal.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(10),
})

export const memoryRoutes = {
  exportMemories: defineStream(
    'get',
    '/v1/memory-export',
    'All memories as JSON lines.',
    'application/jsonl',
  ),
  memories: define('get', '/v1/memories', 'Memories: pinned ones first, then newest first.', MemoryList, {
    query: Filter,
  }),
  addMemory: define(
    'post',
    '/v1/memories',
    'Adds a memory; one with the same words becomes more important.',
    MemoryChanged,
    { body: AddMemory },
  ),
  memory: define(
    'get',
    '/v1/memories/{id}',
    'One memory, where it came from and where it was used.',
    MemoryDetail,
    one,
  ),
  editMemory: define(
    'put',
    '/v1/memories/{id}',
    'Changes a memory in place; the old text is lost.',
    MemoryChanged,
    { ...one, body: EditMemory },
  ),
  correctMemory: define(
    'post',
    '/v1/memories/{id}/correct',
    'Replaces a memory and keeps the old one as superseded.',
    MemoryChanged,
    { ...one, body: CorrectMemory },
  ),
  memorySuggestions: define(
    'get',
    '/v1/memory-suggestions',
    'Suggested memories, which are not used until accepted.',
    MemoryList,
    { query: Page },
  ),
  acceptMemory: define('post', '/v1/memories/{id}/accept', 'Accepts a suggestion.', MemoryChanged, one),
  rejectMemory: define(
    'post',
    '/v1/memories/{id}/reject',
    'Rejects a suggestion; it is not made again.',
    MemoryChanged,
    one,
  ),
  forgetMemories: define(
    'post',
    '/v1/memory-forget',
    'Erases memories permanently with everything derived from them, or shows what would be erased.',
    MemoriesForgotten,
    { body: ForgetMemories },
  ),
  neverRemembered: define('get', '/v1/memory-never', 'What is never to be remembered.', z.array(NeverView)),
  neverRemember: define('post', '/v1/memory-never', 'Blocks memories that contain these words.', NeverAdded, {
    body: z.strictObject({ words: NeverWords }),
  }),
  rememberAgain: define('delete', '/v1/memory-never/{id}', 'Removes words from that list.', Receipt, {
    params: z.object({ id: z.string().min(1).max(64) }),
  }),
  searchMemories: define(
    'get',
    '/v1/memory-search',
    'Active memories that match the words, best first.',
    z.array(FoundMemory),
    { query: Search },
  ),
  memoryStats: define('get', '/v1/memory-stats', 'The number of memories by kind.', MemoryStats),
}
