/** Asks a server in XML and has its answer read in the sandbox. */
import type { Failure } from '@countersign/tools'
import { z } from 'zod'
import { failed, hostOf, type ServerRequest, type ServerSession } from './server-session.ts'

const text = (longest: number) => z.string().max(longest).nullable()

const Response = z.strictObject({
  href: z.string().max(1_000),
  status: z.int().nullable(),
  etag: text(2_000),
  name: text(200),
  syncToken: text(2_000),
  ctag: text(2_000),
  types: z.array(z.string().max(100)).max(20),
  components: z.array(z.string().max(40)).max(20),
  principal: text(1_000),
  calendarHome: text(1_000),
  contactsHome: text(1_000),
})
export type StatusResponse = z.infer<typeof Response>

const Answer = z.strictObject({ syncToken: text(2_000), responses: z.array(Response).max(5_200) })

export interface Found extends z.infer<typeof Answer> {
  readonly kind: 'found'
}

export function propfind(
  session: ServerSession,
  href: string,
  depth: '0' | '1',
  props: string,
): Promise<Found | Failure> {
  const body = `<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="urn:ietf:params:xml:ns:carddav" xmlns:s="http://calendarserver.org/ns/"><d:prop>${props}</d:prop></d:propfind>`
  return multistatus(session, { method: 'PROPFIND', href, headers: { depth }, body })
}

export async function multistatus(session: ServerSession, request: ServerRequest): Promise<Found | Failure> {
  const { headers, ...rest } = request
  const answer = await session.ask({
    ...rest,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
  })
  if (answer.kind === 'failed') return answer
  if (answer.status !== 207)
    return failed(
      `${hostOf(session.account)} answered ${answer.status} to ${request.method} ${request.href}.`,
    )
  const read = await session.documents.run(
    { job: { program: 'calendar', op: 'answer' }, form: Answer },
    answer.body,
    session.signal,
  )
  return read.kind === 'failed' ? read : { kind: 'found', ...read.facts }
}
