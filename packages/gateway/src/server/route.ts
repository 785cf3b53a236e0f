/** Owns how a row of the route table becomes a route, from which the OpenAPI document is made. */
import { ErrorReply, type Language, languageOf, type Receipt } from '@countersign/contract'
import type { RequestShapes, RouteDefinition, StreamDefinition } from '@countersign/contract/routes'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Program } from '../programs/program-rows.ts'
import type { RequestPlace } from './request-place.ts'
import type { RequestSender } from './request-sender.ts'

export interface RouteVariables {
  place: RequestPlace
  speaker: RequestSender
  /** Who speaks by a token, where somebody does. */
  program?: Program
  /** The answer is sent while it is being made, so that its body cannot be signed. */
  streams?: boolean
}
export type Env = { Variables: RouteVariables }
export type App = OpenAPIHono<Env>

/** What is asked for, in the form in which Hono takes it. */
type Asked<Request> = (Request extends { readonly params: infer Params extends z.ZodObject }
  ? { params: Params }
  : unknown) &
  (Request extends { readonly query: infer Query extends z.ZodObject } ? { query: Query } : unknown) &
  (Request extends { readonly body: infer Body extends z.ZodType }
    ? { body: { required: true; content: { 'application/json': { schema: Body } } } }
    : unknown)

export function route<Path extends string, Reply extends z.ZodType, Request extends RequestShapes>({
  method,
  path,
  summary,
  reply,
  request: { params, query, body },
}: RouteDefinition<Path, Reply, Request>) {
  const content = <Shape extends z.ZodType>(schema: Shape) => ({ 'application/json': { schema } })
  const request = {
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(body ? { body: { required: true as const, content: content(body) } } : {}),
  } as Asked<Request>
  return createRoute({
    method,
    path,
    summary,
    request: request as Asked<Request> & object,
    responses: {
      200: { description: 'Done.', content: content(reply) },
      default: {
        description: 'Failed, with the reason and the next step.',
        content: content(ErrorReply),
      },
    },
  })
}

/** Adds a route whose answer is sent line by line. */
export function addStream(
  app: App,
  { method, path, summary, type }: StreamDefinition,
  answer: (context: Context<Env>) => Response | Promise<Response>,
): void {
  app.openAPIRegistry.registerPath({
    method,
    path,
    summary,
    responses: { 200: { description: 'Done.', content: { [type]: { schema: z.string() } } } },
  })
  app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
    context.header('content-type', type)
    const response = await answer(context)
    // Only what is sent while it is made; a refusal is an answer like any other, and its body is signed.
    context.set('streams', true)
    return response
  })
}

/** The texts as bytes, each with the same end. */
export function byteStream(texts: AsyncIterable<string>, end = ''): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const bytes = async function* () {
    for await (const text of texts) yield encoder.encode(`${text}${end}`)
  }
  return ReadableStream.from(bytes()) as ReadableStream<Uint8Array>
}

/** The language in which the reader wants sentences. */
export function languageFor(context: Context<Env>): Language {
  return languageOf(context.req.header('accept-language'))
}

export function receipt(ledger: number): Receipt {
  return { ok: true, ledger }
}
