/**
 * Owns the way to a server elsewhere: each message is a request of the egress client to the one address that was let in.
 * Refuses another address and follows no redirect. What comes is the answer to what was asked; a stream is kept open besides
 * only where the server may ask.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Egress, EgressRequest, EgressResult, ResponseHead } from '../egress/egress.ts'
import type { ServerBearer } from './server-bearer.ts'
import { longestAnswerMs, serverLimits } from './server-limits.ts'
import type { BoundedTransport } from './stream-transport.ts'

export interface McpServerAddress {
  readonly url: string
  /** What goes along as bearer token; left out where nothing does. */
  readonly bearer: ServerBearer | undefined
  /** The operator is asked for the server: its answer may be long in coming. */
  readonly isPatient?: () => boolean
}

export function egressTransport(
  { url, bearer, isPatient }: McpServerAddress,
  egress: Egress,
  signal: AbortSignal,
): BoundedTransport {
  let problem: string | undefined
  const allowed = new URL(url).href
  const inner = new StreamableHTTPClientTransport(new URL(url), {
    // Nobody signs in here: a server that asks for it is told of, and the operator signs in.
    fetch: async (address, init) => {
      if (new URL(address).href !== allowed) throw new Error('The server named another address.')
      const stop = init?.signal ? AbortSignal.any([signal, init.signal]) : signal
      if ((init?.method ?? 'GET') === 'GET') {
        // A stream that stands open is one connection more, for what some ask outside of their answers.
        if (!isPatient) return new Response(null, { status: 405 })
        return openStream({ egress, bearer, request: (token) => requestOf(allowed, init, token) }, stop)
      }
      const stream = eventStream()
      const ask = (token: string | undefined) =>
        egress.request(
          { ...requestOf(allowed, init, token), listen: stream.listen, ...(isPatient ? { isPatient } : {}) },
          stop,
        )
      const whole = async (): Promise<Response> => {
        try {
          const result = bearer ? await askedWith(bearer, ask, stop) : await ask(undefined)
          problem =
            result.kind === 'response'
              ? statusProblem(result.status, bearer?.unwelcome(result))
              : problemOf(result)
          if (result.kind === 'response') return responseOf(result)
        } catch (error) {
          if (!(error instanceof NoBearer)) throw error
          problem = error.message
        }
        throw new Error(problem)
      }
      return stream.begun(whole(), () => void inner.close())
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  })
  return Object.assign(inner, { listenAnew: () => undefined, problem: () => problem })
}

interface StandingStream {
  readonly egress: Egress
  readonly bearer: ServerBearer | undefined
  readonly request: (token: string | undefined) => EgressRequest
}

/** Says nothing for as long as it likes. When it ends, nothing else does. */
async function openStream({ egress, bearer, request }: StandingStream, stop: AbortSignal): Promise<Response> {
  const stream = eventStream()
  const ask = (token: string | undefined) =>
    egress.request({ ...request(token), listen: stream.listen, isPatient: () => true }, stop)
  const whole = async (): Promise<Response> => {
    const result = bearer ? await askedWith(bearer, ask, stop) : await ask(undefined)
    if (result.kind === 'response') return responseOf(result)
    throw new Error(problemOf(result))
  }
  return stream.begun(whole(), () => undefined)
}

interface EventStream {
  listen(head: ResponseHead): ((chunk: Uint8Array) => void) | undefined
  /** What came as soon as it is a stream of messages, and otherwise the whole. A stream that breaks ends the talk. */
  begun(whole: Promise<Response>, broke: () => void): Promise<Response>
}

/** A stream of messages is heard as it comes: in it the server may ask before it answers. */
function eventStream(): EventStream {
  const opened = Promise.withResolvers<Response>()
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  return {
    listen({ status, headers }) {
      const isStream = String(headers['content-type'] ?? '').startsWith('text/event-stream')
      if (status !== 200 || !isStream) return undefined
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          sink = controller
        },
        cancel: () => {
          sink = undefined
        },
      })
      opened.resolve(new Response(body, { status, headers: toldHeaders(headers) }))
      return (chunk) => sink?.enqueue(chunk)
    },
    begun(whole, broke) {
      whole.then(
        (response) => (sink ? sink.close() : opened.resolve(response)),
        (error: unknown) => {
          opened.reject(error)
          if (!sink) return
          sink.error(error)
          broke()
        },
      )
      return opened.promise
    },
  }
}

function requestOf(url: string, init: RequestInit | undefined, token: string | undefined): EgressRequest {
  return {
    method: init?.method ?? 'GET',
    url,
    headers: {
      ...Object.fromEntries(new Headers(init?.headers)),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: typeof init?.body === 'string' ? init.body : null,
    maxBytes: serverLimits.maxMessageBytes,
    timeoutMs: longestAnswerMs,
    redirects: 'refused',
  }
}

/** There is nothing to show who asks, for a reason that is said. */
class NoBearer extends Error {}

/** A token that is not taken is asked for once more: it may have ended before its time. */
async function askedWith(
  bearer: ServerBearer,
  ask: (token: string) => Promise<EgressResult>,
  signal: AbortSignal,
): Promise<EgressResult> {
  const first = await bearer.token(undefined, signal)
  if (first.kind === 'failed') throw new NoBearer(first.reason)
  const result = await ask(first.value)
  if (result.kind !== 'response' || result.status !== 401) return result
  const second = await bearer.token(first.value, signal)
  if (second.kind === 'failed') throw new NoBearer(second.reason)
  return second.value === first.value ? result : ask(second.value)
}

function responseOf({ status, headers, body }: Extract<EgressResult, { kind: 'response' }>): Response {
  const hasBody = status >= 200 && ![204, 205, 304].includes(status)
  return new Response(hasBody ? Buffer.from(body) : null, { status, headers: toldHeaders(headers) })
}

function toldHeaders(headers: ResponseHead['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'content-encoding' || name === 'content-length'
      ? []
      : [[name, [value].flat().join(', ')]],
  )
}

function statusProblem(status: number, unwelcome: string | undefined): string | undefined {
  if (status < 300) return undefined
  if (status < 400)
    return `It led to another address (HTTP ${status}), which is not followed. Name that one if it is yours.`
  if (status !== 401 && status !== 403) return `It answered with HTTP ${status}.`
  return (
    unwelcome ??
    `It wants to know who asks (HTTP ${status}). Sign in to it, or keep a token for it as a secret and name the secret with --secret.`
  )
}

function problemOf(result: Exclude<EgressResult, { kind: 'response' }>): string {
  switch (result.kind) {
    case 'refused':
      return `Its address is refused (${[result.reason, result.detail].filter(Boolean).join(', ')}). If it is yours, name it under localTargets in the configuration.`
    case 'failed':
      return `It cannot be reached: ${result.message}.`
    case 'timeout':
      return 'It did not answer in time.'
    case 'cancelled':
      return 'It was cancelled.'
  }
}
