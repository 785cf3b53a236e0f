/** Owns the address at which programs speak MCP: one request, one answer, and nothing kept between them. */
import { CountersignError } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { bodyLimit } from 'hono/body-limit'
import { createMcpServer, type McpParts } from '../programs/mcp/mcp-server.ts'
import { mcpPath, programOf } from './program-door.ts'
import type { App } from './route.ts'

const largestBody = 1_048_576
/** It complains in the program's own words, which are told to the program; what fails in a tool is reported there. */
const onerror = () => undefined

export function addMcpRoutes(app: App, parts: McpParts): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: mcpPath,
    summary: 'Speaks MCP over HTTP, without a session. With the token of a program.',
    responses: {
      200: {
        description: 'A message, or a stream of them.',
        content: { 'application/json': { schema: z.looseObject({}) } },
      },
      401: { description: 'Without a token that counts.' },
    },
  })
  app.use(mcpPath, async (context, next) => {
    context.set('program', await programOf(context, parts.programs))
    await next()
  })
  app.use(
    mcpPath,
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new CountersignError('usage', `A message may have at most ${largestBody} bytes.`)
      },
    }),
  )
  app.all(mcpPath, async (context) => {
    const program = context.get('program')
    if (!program) throw new CountersignError('not_authenticated', 'No program speaks here.')
    const handler = createMcpHandler(() => createMcpServer(parts, program), { onerror })
    const response = await handler.fetch(context.req.raw)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) context.set('streams', true)
    return response
  })
}
