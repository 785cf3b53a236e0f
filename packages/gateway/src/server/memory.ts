/**
 * Owns the routes of memory: what is remembered, where it came from, what waits for review, and forgetting. What is
 * done here is the operator's own act.
 */
import type { Memories } from '@countersign/assistant'
import { memoryRoutes } from '@countersign/contract/routes'
import { type App, addStream, byteStream, receipt, route } from './route.ts'

export interface MemoryRouteParts {
  readonly memories: Memories
}

export function addMemoryRoutes(app: App, { memories }: MemoryRouteParts): void {
  app.openapi(route(memoryRoutes.memories), async (context) => {
    const { limit, offset, ...asked } = context.req.valid('query')
    const found = await memories.list(context.get('speaker').operator, { limit, offset, ...given(asked) })
    return context.json({ ...found, limit, offset }, 200)
  })
  app.openapi(route(memoryRoutes.addMemory), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await memories.add(operator, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(memoryRoutes.memory), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(await memories.show(context.get('speaker').operator, id), 200)
  })
  app.openapi(route(memoryRoutes.editMemory), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await memories.edit(operator, id, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(memoryRoutes.correctMemory), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { content } = context.req.valid('json')
    return context.json(await memories.correct(operator, context.req.valid('param').id, content, actor), 200)
  })
  addReview(app, memories)
  addForgetting(app, memories)
  addReading(app, memories)
}

function addReview(app: App, memories: Memories): void {
  app.openapi(route(memoryRoutes.memorySuggestions), async (context) => {
    const page = context.req.valid('query')
    const { operator } = context.get('speaker')
    const found = await memories.list(operator, { status: 'suggested', ...page })
    return context.json({ ...found, ...page }, 200)
  })
  app.openapi(route(memoryRoutes.acceptMemory), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await memories.accept(operator, context.req.valid('param').id, actor), 200)
  })
  app.openapi(route(memoryRoutes.rejectMemory), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await memories.reject(operator, context.req.valid('param').id, actor), 200)
  })
}

function addForgetting(app: App, memories: Memories): void {
  app.openapi(route(memoryRoutes.forgetMemories), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { ids, dryRun } = context.req.valid('json')
    const forgotten = dryRun
      ? { ...(await memories.previewForget(operator, ids, actor)), ledger: 0 }
      : await memories.forget(operator, ids, actor)
    return context.json({ ...forgotten, dryRun }, 200)
  })
  app.openapi(route(memoryRoutes.neverRemembered), async (context) =>
    context.json(await memories.never(context.get('speaker').operator), 200),
  )
  app.openapi(route(memoryRoutes.neverRemember), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await memories.neverRemember(operator, context.req.valid('json').words, actor), 200)
  })
  app.openapi(route(memoryRoutes.rememberAgain), async (context) => {
    const { operator, actor } = context.get('speaker')
    const ledger = await memories.rememberAgain(operator, context.req.valid('param').id, actor)
    return context.json(receipt(ledger), 200)
  })
}

function addReading(app: App, memories: Memories): void {
  app.openapi(route(memoryRoutes.searchMemories), async (context) => {
    const { q, limit, tag, ...asked } = context.req.valid('query')
    const query = { text: q, limit, ...given(asked), ...(tag === undefined ? {} : { tags: [tag] }) }
    return context.json(await memories.search(context.get('speaker').operator, query), 200)
  })
  app.openapi(route(memoryRoutes.memoryStats), async (context) =>
    context.json(await memories.stats(context.get('speaker').operator), 200),
  )
  addStream(app, memoryRoutes.exportMemories, (context) =>
    context.body(byteStream(memories.exported(context.get('speaker').operator))),
  )
}

/** Without what was left out, so that nothing is asked for that nobody named. */
function given<Asked extends object>(
  asked: Asked,
): { [Name in keyof Asked]?: Exclude<Asked[Name], undefined> } {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as never
}
