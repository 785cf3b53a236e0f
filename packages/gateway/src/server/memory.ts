/**
 * Owns the routes of memory: what is remembered, where it came from, what waits for review, and forgetting. What is
 * done here is the operator's own act.
 */
import type { Memories } from '@countersign/assistant'
import {
  AddMemory,
  CorrectMemory,
  EditMemory,
  ForgetMemories,
  FoundMemory,
  MemoriesForgotten,
  MemoryChanged,
  MemoryDetail,
  MemoryGoal,
  MemoryId,
  MemoryList,
  MemoryStats,
  MemoryStatus,
  MemoryType,
  NeverAdded,
  NeverView,
  NeverWords,
  Receipt,
} from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { type App, receipt, route } from './route.ts'

export interface MemoryRouteParts {
  readonly memories: Memories
}

const one = { params: z.object({ id: MemoryId }) }

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

const Search = z.object({
  q: z.string().min(1).max(1_000),
  type: MemoryType.optional(),
  tag: z.string().min(1).max(50).optional(),
  goal: MemoryGoal.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(10),
})

export function addMemoryRoutes(app: App, { memories }: MemoryRouteParts): void {
  app.openapi(
    route('get', '/v1/memories', 'Memories: pinned ones first, then newest first.', MemoryList, {
      query: Filter,
    }),
    async (context) => {
      const { limit, offset, ...asked } = context.req.valid('query')
      const found = await memories.list(context.get('speaker').operator, { limit, offset, ...given(asked) })
      return context.json({ ...found, limit, offset }, 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/memories',
      'Adds a memory; one with the same words becomes more important.',
      MemoryChanged,
      {
        body: AddMemory,
      },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await memories.add(operator, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route(
      'get',
      '/v1/memories/{id}',
      'One memory, where it came from and where it was used.',
      MemoryDetail,
      one,
    ),
    async (context) => {
      const { id } = context.req.valid('param')
      return context.json(await memories.show(context.get('speaker').operator, id), 200)
    },
  )
  app.openapi(
    route('put', '/v1/memories/{id}', 'Changes a memory in place; the old text is lost.', MemoryChanged, {
      ...one,
      body: EditMemory,
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await memories.edit(operator, id, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/memories/{id}/correct',
      'Replaces a memory and keeps the old one as superseded.',
      MemoryChanged,
      { ...one, body: CorrectMemory },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { content } = context.req.valid('json')
      return context.json(
        await memories.correct(operator, context.req.valid('param').id, content, actor),
        200,
      )
    },
  )
  addReview(app, memories)
  addForgetting(app, memories)
  addReading(app, memories)
}

function addReview(app: App, memories: Memories): void {
  app.openapi(
    route(
      'get',
      '/v1/memory-suggestions',
      'Suggested memories, which are not used until accepted.',
      MemoryList,
      {
        query: Page,
      },
    ),
    async (context) => {
      const page = context.req.valid('query')
      const { operator } = context.get('speaker')
      const found = await memories.list(operator, { status: 'suggested', ...page })
      return context.json({ ...found, ...page }, 200)
    },
  )
  app.openapi(
    route('post', '/v1/memories/{id}/accept', 'Accepts a suggestion.', MemoryChanged, one),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await memories.accept(operator, context.req.valid('param').id, actor), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/memories/{id}/reject',
      'Rejects a suggestion; it is not made again.',
      MemoryChanged,
      one,
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await memories.reject(operator, context.req.valid('param').id, actor), 200)
    },
  )
}

function addForgetting(app: App, memories: Memories): void {
  app.openapi(
    route(
      'post',
      '/v1/memory-forget',
      'Erases memories permanently with everything derived from them, or shows what would be erased.',
      MemoriesForgotten,
      { body: ForgetMemories },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { ids, dryRun } = context.req.valid('json')
      const forgotten = dryRun
        ? { ...(await memories.previewForget(operator, ids, actor)), ledger: 0 }
        : await memories.forget(operator, ids, actor)
      return context.json({ ...forgotten, dryRun }, 200)
    },
  )
  app.openapi(
    route('get', '/v1/memory-never', 'What is never to be remembered.', z.array(NeverView)),
    async (context) => context.json(await memories.never(context.get('speaker').operator), 200),
  )
  app.openapi(
    route('post', '/v1/memory-never', 'Blocks memories that contain these words.', NeverAdded, {
      body: z.strictObject({ words: NeverWords }),
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await memories.neverRemember(operator, context.req.valid('json').words, actor), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/memory-never/{id}', 'Removes words from that list.', Receipt, {
      params: z.object({ id: z.string().min(1).max(64) }),
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const ledger = await memories.rememberAgain(operator, context.req.valid('param').id, actor)
      return context.json(receipt(ledger), 200)
    },
  )
}

function addReading(app: App, memories: Memories): void {
  app.openapi(
    route(
      'get',
      '/v1/memory-search',
      'Active memories that match the words, best first.',
      z.array(FoundMemory),
      {
        query: Search,
      },
    ),
    async (context) => {
      const { q, limit, tag, ...asked } = context.req.valid('query')
      const query = { text: q, limit, ...given(asked), ...(tag === undefined ? {} : { tags: [tag] }) }
      return context.json(await memories.search(context.get('speaker').operator, query), 200)
    },
  )
  app.openapi(
    route('get', '/v1/memory-stats', 'The number of memories by kind.', MemoryStats),
    async (context) => context.json(await memories.stats(context.get('speaker').operator), 200),
  )
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/v1/memory-export',
    summary: 'All memories as JSON lines.',
    responses: { 200: { description: 'Done.', content: { 'application/jsonl': { schema: z.string() } } } },
  })
  app.get('/v1/memory-export', (context) => {
    const lines = memories.exported(context.get('speaker').operator)
    context.set('streams', true)
    return context.body(ReadableStream.from(encoded(lines)) as ReadableStream, 200, {
      'content-type': 'application/jsonl',
    })
  })
}

/** Without what was left out, so that nothing is asked for that nobody named. */
function given<Asked extends object>(
  asked: Asked,
): { [Name in keyof Asked]?: Exclude<Asked[Name], undefined> } {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as never
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(line)
}
