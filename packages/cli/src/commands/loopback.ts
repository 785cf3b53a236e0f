/**
 * Owns the loopback address that a browser is led back to when somebody signed in. Takes one answer, the one with the
 * state that was sent; whatever else comes is refused and waited past.
 */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CountersignError } from '@countersign/contract'

export interface Loopback {
  readonly port: number
  /** What stood after the question mark; undefined when nobody came in time. */
  answer(state: string, waitMs: number): Promise<string | undefined>
  close(): void
}

/** Listens before anybody is told of it, so that no other program can take the port. 0 is any port that is free. */
export async function openLoopback(wantedPort = 0): Promise<Loopback> {
  let wanted: { readonly state: string; readonly take: (query: string) => void } | undefined
  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 10_000 }, (request, response) => {
    const query = wanted && answerIn(request, port, wanted.state)
    say(response, query !== undefined)
    if (query !== undefined) wanted?.take(query)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wantedPort, '127.0.0.1', () => resolve())
  }).catch((cause: unknown) => {
    throw new CountersignError(
      'conflict',
      `The port ${wantedPort} of this computer is taken by another program.`,
      {
        cause,
        next: 'End that program, or sign in with --anew, which takes another port.',
      },
    )
  })
  const { port } = server.address() as { port: number }
  return {
    port,
    async answer(state, waitMs) {
      const came = Promise.withResolvers<string | undefined>()
      wanted = { state, take: came.resolve }
      const timer = setTimeout(() => came.resolve(undefined), waitMs)
      try {
        return await came.promise
      } finally {
        clearTimeout(timer)
        wanted = undefined
      }
    },
    close() {
      server.close()
      // The page that was just answered is let finish; whatever idles is not waited for.
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 500).unref()
    },
  }
}

function answerIn(
  { method, url = '', headers }: IncomingMessage,
  port: number,
  state: string,
): string | undefined {
  // Another name that leads to this computer is a page of a stranger's.
  if (method !== 'GET' || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? ''))
    return undefined
  const [path, query] = url.split('?', 2)
  if (path !== '/' || query === undefined) return undefined
  const given = Buffer.from(new URLSearchParams(query).get('state') ?? '')
  const expected = Buffer.from(state)
  return given.length === expected.length && timingSafeEqual(given, expected) ? query : undefined
}

function say(response: ServerResponse, isOurs: boolean): void {
  const words = isOurs
    ? 'Go back to the terminal. You can close this page.'
    : 'This is not the sign-in that was begun.'
  response
    .writeHead(isOurs ? 200 : 400, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${words}\n`)
}
