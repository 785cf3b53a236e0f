/**
 * Owns how the gateway proves itself. It signs every answer that it is asked to prove, with the address it really has;
 * a client elsewhere, behind a proxy with TLS, names the address that TLS has proven to it.
 */
import {
  addressHeader,
  addressOf,
  answerText,
  challengeText,
  isNonce,
  proofHeader,
  streamedBody,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { App } from './route.ts'

/** What a page says of itself, because it is packed on its way. Set by the pages only. */
export const contentHeader = 'countersign-content'

export interface Prover {
  /** The address that a client may have dialled, given what it says. */
  addressFor(claimed: string | undefined): string
  answer(answer: Omit<Parameters<typeof answerText>[0], 'gateway'>): string
  challenge(challenge: Omit<Parameters<typeof challengeText>[0], 'gateway'>): string
}

export function createProver(options: {
  readonly gateway: string
  /** Signs with the key of the trust file. */
  readonly sign: (text: string) => string
  readonly port: () => number
  /** The operator's own; what was dialled elsewhere was not ours. */
  readonly publicOrigins: readonly string[]
}): Prover {
  const { gateway, sign } = options
  const elsewhere = options.publicOrigins.map(addressOf)
  return {
    addressFor: (claimed = '') =>
      elsewhere.includes(claimed) ? claimed : `http://127.0.0.1:${options.port()}`,
    answer: (answer) => sign(answerText({ ...answer, gateway })),
    challenge: (challenge) => sign(challengeText({ ...challenge, gateway })),
  }
}

/** Before every other route, so that refusals are proven too. */
export function addProofs(app: App, prover: Prover): void {
  app.use('*', async (context, next) => {
    await next()
    const nonce = context.req.header('countersign-nonce') ?? ''
    if (!isNonce(nonce)) return
    const url = URL.parse(context.req.url)
    // Whoever named a host that is no address was refused, and dialled nobody's.
    if (!url) return
    const proof = prover.answer({
      address: prover.addressFor(context.req.header(addressHeader)),
      method: context.req.method,
      path: `${url.pathname}${url.search}`,
      nonce,
      status: context.res.status,
      bodyHash: await hashOf(context.res, context.get('streams') === true),
    })
    context.res.headers.set(proofHeader, proof)
  })
}

async function hashOf(response: Response, streams: boolean): Promise<string> {
  const said = response.headers.get(contentHeader)
  if (said !== null) return said
  return streams ? streamedBody : sha256Hex(new Uint8Array(await response.clone().arrayBuffer()))
}
