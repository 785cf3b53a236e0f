/** A typed client whose gateway is a function in the same process. Never for use outside tests. */
import { randomUUIDv7 } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom } from '@countersign/contract'
import { type Client, createClient } from '@countersign/contract/client'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly body: unknown
}

/** An answer is sent as it is, and a CountersignError that is thrown as the gateway would send it. */
export function fakeClient(answer: (request: FakeRequest) => unknown): Client {
  return createClient({
    url: 'http://localhost:1',
    signer: {
      device: idFrom('dev', randomUUIDv7()),
      gateway: idFrom('gw', randomUUIDv7()),
      sign: () => Promise.resolve(''),
      proves: () => Promise.resolve(true),
      hash: () => Promise.resolve(''),
      nonce: () => 'nonce',
      now: () => new Date(0),
    },
    fetch: async (url, { method, body, headers }) => {
      const query = Object.fromEntries(url.searchParams)
      const given: unknown = body === undefined ? undefined : JSON.parse(body)
      // A client asks for a proof before it sends anything; no test is about that question, which nobody signs.
      if (!('countersign-signature' in headers)) return Response.json({})
      try {
        return Response.json(answer({ method, path: url.pathname, query, body: given }))
      } catch (error) {
        if (!(error instanceof CountersignError)) throw error
        const { code: type, message, next } = error
        return Response.json(
          { ok: false, error: { type, message, next } },
          { status: errorCatalogue[type].http },
        )
      }
    },
  })
}
