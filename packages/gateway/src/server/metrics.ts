/**
 * Owns GET /metrics, which is there only when the operator switched it on. Prometheus cannot sign a request, so it
 * shows a token. Refuses everybody else, also on this host: other accounts reach the loopback address too.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { CountersignError } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { expositionType } from '../observe/exposition.ts'
import type { App } from './route.ts'

export interface MetricsRoute {
  /** Chosen by the operator. */
  readonly token: string
  readonly text: () => Promise<string>
}

export function addMetricsRoute(app: App, { token, text }: MetricsRoute): void {
  const expected = digestOf(token)
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus. Needs the metrics token, not a signature.',
    responses: { 200: { description: 'Done.', content: { 'text/plain': { schema: z.string() } } } },
  })
  app.get('/metrics', async (context) => {
    const [, shown = ''] = /^bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    // Of the same length whatever was sent, so that the time tells nothing.
    if (shown === '' || !timingSafeEqual(digestOf(shown), expected))
      throw new CountersignError('not_authenticated', 'The metrics token is missing or wrong.', {
        next: 'Send the header Authorization: Bearer, with the value of COUNTERSIGN_METRICS_TOKEN.',
      })
    return context.body(await text(), 200, { 'content-type': expositionType })
  })
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
