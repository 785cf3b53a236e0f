/** Owns the form of a row in the route table, from which the server, the client and the OpenAPI document are made. */
import type { z } from 'zod'

/** What a request brings. */
export interface RequestShapes {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

interface Place<Path extends string> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With parameters in braces. */
  readonly path: Path
  readonly summary: string
}

export interface RouteDefinition<
  Path extends string = string,
  Reply extends z.ZodType = z.ZodType,
  Request extends RequestShapes = RequestShapes,
> extends Place<Path> {
  readonly reply: Reply
  readonly request: Request
}

/** Its answer is sent line by line while it is being made. */
export interface StreamDefinition<Path extends string = string> extends Place<Path> {
  /** The content type of the answer. */
  readonly type: string
}

type Nothing = Record<never, never>

export function define<
  const Path extends string,
  Reply extends z.ZodType,
  Request extends RequestShapes = Nothing,
>(
  method: Place<Path>['method'],
  path: Path,
  summary: string,
  reply: Reply,
  request: Request = {} as Request,
): RouteDefinition<Path, Reply, Request> {
  return { method, path, summary, reply, request }
}

export function defineStream<const Path extends string>(
  method: Place<Path>['method'],
  path: Path,
  summary: string,
  type: string,
): StreamDefinition<Path> {
  return { method, path, summary, type }
}
