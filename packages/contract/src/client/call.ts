/** Owns how the client asks for a row of the route table: what it must be given, and the path and the body made of it. */
import type { z } from 'zod'
import type { RequestShapes, RouteDefinition, StreamDefinition } from '../routes/define.ts'

export type Method = Uppercase<RouteDefinition['method']>

/** In an address everything is text; whether it fits is for the gateway to say. */
type InAddress = string | number

type ParameterIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterIn<Rest>
  : never
type Params<Path extends string> = [ParameterIn<Path>] extends [never]
  ? unknown
  : { readonly params: { readonly [Name in ParameterIn<Path>]: InAddress } }

type Texts<Values> = {
  readonly [Name in keyof Values]: undefined extends Values[Name] ? InAddress | undefined : InAddress
}
type Query<Request> = Request extends { readonly query: infer Shape extends z.ZodType }
  ? Part<'query', Texts<z.input<Shape>>>
  : unknown
type Body<Request> = Request extends { readonly body: infer Shape extends z.ZodType }
  ? Part<'body', z.input<Shape>>
  : unknown
/** May be left out where nothing in it is needed. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value ? { readonly [Key in Name]?: Value } : { readonly [Key in Name]: Value }

type Given<Values> =
  Record<never, never> extends Values
    ? [given?: Values, timeoutMs?: number]
    : [given: Values, timeoutMs?: number]

/** A time limit is for what takes longer than most answers. */
export type Call = <Path extends string, Reply extends z.ZodType, Request extends RequestShapes>(
  route: RouteDefinition<Path, Reply, Request>,
  ...given: Given<Params<Path> & Query<Request> & Body<Request>>
) => Promise<z.output<Reply>>

/** Makes one signed request and leaves the body of the answer unread. */
export type StreamCall = <Path extends string>(
  route: StreamDefinition<Path>,
  given: Params<Path>,
  timeoutMs: number,
) => Promise<ReadableStream<Uint8Array> | null>

export interface ClientRequest {
  readonly method: Method
  /** With the query. */
  readonly path: string
  readonly body?: unknown
}

interface AnyGiven {
  readonly params?: Readonly<Record<string, InAddress>>
  readonly query?: Readonly<Record<string, InAddress | undefined>>
  readonly body?: unknown
}

/** A call for every row, by what sends one request and gives the text of its proven answer. */
export function callBy(
  textOf: (request: ClientRequest, timeoutMs: number | undefined) => Promise<string>,
): Call {
  const call = async (route: RouteDefinition, given?: AnyGiven, timeoutMs?: number): Promise<unknown> =>
    route.reply.parse(JSON.parse(await textOf(requestOf(route, given), timeoutMs)))
  return call as Call
}

export function requestOf(
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
  { params = {}, query = {}, body }: AnyGiven = {},
): ClientRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const asked = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked).toString()}`
  return {
    method: method.toUpperCase() as Method,
    path: `${filled}${search}`,
    ...(method === 'get' || method === 'delete' ? {} : { body: body ?? {} }),
  }
}
