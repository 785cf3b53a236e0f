/** Owns who asks: each caller makes the same request in the way in which somebody of that kind could make it. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { addressHeader, addressOf, requestText } from '@countersign/contract'
import { sha256Hex, signText } from '@countersign/contract/node'
import type { Holder } from '../../../../../packages/executor/src/testing/statements.ts'

export interface AccessRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface AccessReply {
  readonly status: number
  readonly text: string
}

export interface Caller {
  readonly name: string
  ask(asked: AccessRequest): Promise<AccessReply>
}

export interface CallerParts {
  readonly port: number
  readonly gateway: string
}

type Headers = Readonly<Record<string, string>>

/** Signs as the holder's device would. `over` is what is signed in place of the request that is sent. */
export function signed(
  holder: Holder,
  asked: AccessRequest,
  { gateway, port }: CallerParts,
  over: Partial<AccessRequest> & {
    readonly time?: Date
    readonly nonce?: string
    readonly port?: number
  } = {},
): Headers {
  const time = (over.time ?? new Date()).toISOString()
  const nonce = over.nonce ?? randomBytes(24).toString('base64url')
  const text = requestText({
    method: over.method ?? asked.method,
    path: over.path ?? asked.path,
    bodyHash: sha256Hex(over.body ?? asked.body),
    time,
    nonce,
    gateway,
    device: holder.id,
    address: addressOf(`http://127.0.0.1:${over.port ?? port}`) ?? '',
  })
  return {
    [addressHeader]: `http://127.0.0.1:${port}`,
    'countersign-device': holder.id,
    'countersign-time': time,
    'countersign-nonce': nonce,
    'countersign-signature': signText(holder.keys.privateKey, text),
  }
}

/** Sends exactly these headers. `fetch` would not let a caller say what browsers and proxies say. */
export function send(
  port: number,
  { method, path, body }: AccessRequest,
  headers: Headers,
): Promise<AccessReply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent: false,
        method,
        path,
        headers: {
          host: `127.0.0.1:${port}`,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      },
    )
    sent.on('error', (error) => reject(new Error(`${method} ${path}: ${error.message}`)))
    sent.end(body)
  })
}

export function deviceCaller(name: string, holder: Holder, parts: CallerParts): Caller {
  return { name, ask: (asked) => send(parts.port, asked, signed(holder, asked, parts)) }
}

export function programCaller(name: string, token: string, { port }: CallerParts): Caller {
  return { name, ask: (asked) => send(port, asked, { authorization: `Bearer ${token}` }) }
}

/** Callers that have something of a device that seals, and still not its word for this request. */
export function forgers(holder: Holder, stranger: Holder, parts: CallerParts): Caller[] {
  const { port } = parts
  const forger = (name: string, headersFor: (asked: AccessRequest) => Headers): Caller => ({
    name,
    ask: (asked) => send(port, asked, headersFor(asked)),
  })
  return [
    forger('no key', () => ({})),
    forger('unknown key', (asked) => signed(stranger, asked, parts)),
    forger('key of another name', (asked) => ({
      ...signed(stranger, asked, parts),
      'countersign-device': holder.id,
    })),
    forger('other body', (asked) => signed(holder, asked, parts, { body: `${asked.body} ` })),
    forger('other path', (asked) => signed(holder, asked, parts, { path: `${asked.path}x` })),
    forger('other method', (asked) =>
      signed(holder, asked, parts, { method: asked.method === 'GET' ? 'POST' : 'GET' }),
    ),
    forger('other gateway', (asked) =>
      signed(holder, asked, { ...parts, gateway: 'gw_00000000-0000-7000-8000-000000000000' }),
    ),
    forger('other address', (asked) => signed(holder, asked, parts, { port: port + 1 })),
    forger('too late', (asked) => signed(holder, asked, parts, { time: new Date(Date.now() - 120_000) })),
    {
      name: 'said twice',
      async ask(asked) {
        const nonce = randomBytes(24).toString('base64url')
        // Refused or taken, the words were used; what is sent first changes nothing.
        const first: AccessRequest = { method: 'GET', path: '/v1/status', body: '' }
        await send(port, first, signed(holder, first, parts, { nonce }))
        return send(port, asked, signed(holder, asked, parts, { nonce }))
      },
    },
    forger('page of another origin', (asked) => ({
      ...signed(holder, asked, parts),
      origin: 'https://pages.example',
      'sec-fetch-site': 'cross-site',
    })),
    forger('page in an old browser', (asked) => ({
      ...signed(holder, asked, parts),
      origin: 'https://pages.example',
    })),
    forger('page at another port', (asked) => ({
      ...signed(holder, asked, parts),
      'sec-fetch-site': 'same-site',
    })),
    forger('name that leads here', (asked) => ({
      ...signed(holder, asked, parts),
      host: `rebound.example:${port}`,
    })),
  ]
}
