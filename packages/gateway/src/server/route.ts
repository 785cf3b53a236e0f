/** Owns how a route is declared: its shapes and words, from which the OpenAPI document is made. */
import { ErrorReply, type Language, languageOf, type Receipt } from '@countersign/contract'
import { createRoute, type OpenAPIHono, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { RequestSender } from './request-sender.ts'

export interface RouteVariables {
  speaker: RequestSender
  /** The answer is sent while it is being made, so that its body cannot be signed. */
  streams?: boolean
}
export type Env = { Variables: RouteVariables }
export type App = OpenAPIHono<Env>

interface RouteParts<Params, Query, Body> {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
}

export function route<
  const Path extends string,
  Reply extends z.ZodType,
  Params extends z.ZodObject = never,
  Query extends z.ZodObject = never,
  Body extends z.ZodType = never,
>(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: Path,
  summary: string,
  reply: Reply,
  parts: RouteParts<Params, Query, Body> = {},
) {
  const content = <Shape extends z.ZodType>(schema: Shape) => ({ 'application/json': { schema } })
  type Request = ([Params] extends [never] ? unknown : { params: Params }) &
    ([Query] extends [never] ? unknown : { query: Query }) &
    ([Body] extends [never]
      ? unknown
      : { body: { required: true; content: { 'application/json': { schema: Body } } } })
  const request = {
    ...(parts.params ? { params: parts.params } : {}),
    ...(parts.query ? { query: parts.query } : {}),
    ...(parts.body ? { body: { required: true as const, content: content(parts.body) } } : {}),
  } as Request
  return createRoute({
    method,
    path,
    summary,
    request: request as Request & object,
    responses: {
      200: { description: 'Done.', content: content(reply) },
      default: {
        description: 'Failed, with the reason and the next step.',
        content: content(ErrorReply),
      },
    },
  })
}

/** The language in which the reader wants sentences. */
export function languageFor(context: Context<Env>): Language {
  return languageOf(context.req.header('accept-language'))
}

export function receipt(ledger: number): Receipt {
  return { ok: true, ledger }
}
