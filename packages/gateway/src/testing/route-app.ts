/** Routes for tests with the typed client before them, as one device of the operator speaks. Never for use outside tests. */
import { createHash, randomUUIDv7 } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom } from '@countersign/contract'
import { type Client, createClient } from '@countersign/contract/client'
import type { Actor } from '@countersign/kernel'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { errorReply, knownFailure } from '../server/failures.ts'
import type { App, Env } from '../server/route.ts'

export interface RouteApp {
  readonly app: App
  readonly client: Client
}

export const speaker = {
  operator: idFrom('op', randomUUIDv7()),
  device: idFrom('dev', randomUUIDv7()),
  actor: { kind: 'operator', id: 'laptop' } satisfies Actor,
  reach: 3 as const,
}

export function routeApp(add: (app: App) => void, operator = speaker.operator): RouteApp {
  const app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new CountersignError('usage', z.prettifyError(result.error))
    },
  })
  app.onError((error, context) => {
    const failure = knownFailure(error)
    if (!failure) throw error
    return context.json(errorReply(failure), errorCatalogue[failure.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', { ...speaker, operator })
    await next()
  })
  add(app)
  const client = createClient({
    url: 'http://127.0.0.1:1',
    signer: {
      device: speaker.device,
      gateway: idFrom('gw', randomUUIDv7()),
      sign: () => Promise.resolve(''),
      proves: () => Promise.resolve(true),
      hash: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      nonce: () => 'nonce',
      now: () => new Date('2026-08-01T12:00:00Z'),
    },
    fetch: async (url, { method, headers, body }) =>
      app.request(url.pathname + url.search, { method, headers, ...(body === undefined ? {} : { body }) }),
  })
  return { app, client }
}
