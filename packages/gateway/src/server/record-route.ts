/** Owns one route of the records: how it is declared, what it takes, and how it is answered. */
import {
  CountersignError,
  ErrorReply,
  type JsonObject,
  joinLabels,
  type Label,
  type OperatorId,
  type StoredRecord,
} from '@countersign/contract'
import type { Actor, RecordTransactions } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { App } from './route.ts'

export interface RecordEntry {
  readonly type: 'record.added' | 'record.changed' | 'record.removed'
  readonly actor: Actor
  readonly data: { readonly collection: string; readonly id: string; readonly title: string }
}

export interface RecordRoutesOptions {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly uuid: () => string
}

export interface RecordRequest {
  readonly operator: OperatorId
  readonly actor: Actor
  readonly id: string
  readonly table: string
  readonly query: Readonly<Record<string, string>>
  readonly body: JsonObject
  /** The version that `If-Match` names. */
  readonly expected: number | undefined
}

export interface RecordReply {
  readonly status?: 201
  readonly body: unknown
  readonly version?: number
}

export interface RecordRoute {
  readonly summary: string
  /** The parameters that may follow the question mark. */
  readonly query?: readonly string[]
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  answer(asked: RecordRequest): Promise<RecordReply>
}

export function declareRecordRoute(
  app: App,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  resource: RecordRoute,
): void {
  const { summary, query = [], body, reply } = resource
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const texts = (each: readonly string[], type: z.ZodType) =>
    z.object(Object.fromEntries(each.map((name) => [name, type])))
  const content = (schema: z.ZodType) => ({ 'application/json': { schema } })
  app.openAPIRegistry.registerPath({
    method,
    path,
    summary,
    request: {
      params: texts(names, z.string()),
      query: texts(query, z.string().optional()),
      ...(body ? { body: { required: true, content: content(body) } } : {}),
      ...(method === 'patch' || method === 'delete' ? { headers: ifMatch } : {}),
    },
    responses: {
      [method === 'post' ? 201 : 200]: { description: 'Done.', content: content(reply) },
      409: { description: 'The record has another version.', content: content(ErrorReply) },
      default: {
        description: 'Failed, with the reason and the next step.',
        content: content(ErrorReply),
      },
    },
  })
  app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
    const { operator, actor } = context.get('speaker')
    const {
      status = 200,
      version,
      body: told,
    } = await resource.answer({
      operator,
      actor,
      id: context.req.param('id') ?? '',
      table: context.req.param('table') ?? '',
      query: queryFrom(context, query),
      body: body ? (parseBody(body, await bodyOf(context)) as JsonObject) : {},
      expected: versionFrom(context.req.header('if-match')),
    })
    if (version !== undefined) context.header('etag', `"${version}"`)
    return context.json(told as object, status)
  })
}

const ifMatch = z.object({ 'if-match': z.string().optional() })

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
})

export function pageOf({ limit, offset, ...rest }: Readonly<Record<string, string>>) {
  return { page: parseBody(Page, { limit, offset }), rest }
}

export function parseBody<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value)
  if (!result.success) throw usageError(z.prettifyError(result.error))
  return result.data
}

/** The parameter by which a program says that what it sends is not the operator's own words. */
export const imported = 'source'

const Source = z.string().trim().min(1).max(100)

/** What came from elsewhere is untrusted, and says where it came from. What was there before keeps what it was worth. */
export function labelOf(query: Readonly<Record<string, string>>, before: Label | null = null): Label | null {
  const given = query[imported]
  if (given === undefined) return before
  const source = parseBody(Source, given)
  const label: Label = { integrity: 'untrusted', confidentiality: 'private', sources: [source] }
  return before ? joinLabels(before, label) : label
}

export function requireVersion({ id, version }: StoredRecord, expected: number | undefined): void {
  if (expected === undefined || expected === version) return
  throw new CountersignError('conflict', `${id} is at version ${version}, not ${expected}.`, {
    next: 'Read it again, and repeat the change on the current version.',
    details: { version },
  })
}

export function usageError(message: string): CountersignError {
  return new CountersignError('usage', message, { next: 'Fix the request and send it again.' })
}

export function recordNotFound(message: string): CountersignError {
  return new CountersignError('not_found', message, { next: 'List what exists; it may have been deleted.' })
}

function queryFrom(context: Context, known: readonly string[]): Record<string, string> {
  const given = context.req.query()
  const stranger = Object.keys(given).find((name) => !known.includes(name))
  if (stranger !== undefined)
    throw usageError(`${stranger} is not a parameter here. Known: ${known.join(', ') || 'none'}.`)
  return given
}

async function bodyOf(context: Context): Promise<unknown> {
  try {
    return (await context.req.json()) as unknown
  } catch (cause) {
    throw new CountersignError('usage', 'The body is not valid JSON.', { cause })
  }
}

function versionFrom(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined
  const [, version] = /^"(\d{1,9})"$/.exec(header) ?? []
  if (version === undefined) throw usageError('If-Match must be the ETag of the record, as "3".')
  return Number(version)
}
