/** Owns how a client knows the gateway: no answer is read before its signature fits what was asked, and where. */
import { CountersignError } from '../errors.ts'
import { addressHeader, addressOf, answerText, proofHeader, streamedBody } from '../proof.ts'
import type { Method } from './call.ts'
import { errorOf, type Transport, type TransportReply } from './transport.ts'

export interface ProofQuestion {
  readonly gateway: string
  readonly method: Method
  readonly path: string
  readonly nonce: string
  readonly address: string
}

export interface ProofPorts {
  hash(text: string): Promise<string>
  proves(text: string, signature: string): Promise<boolean>
}

/** The address as it is signed. Throws where none could be proven. */
export function provableAddress(url: string): string {
  const address = addressOf(url)
  if (address !== undefined) return address
  throw new CountersignError('gateway_unproven', `A gateway at ${url} could not prove itself.`, {
    next: 'Use an address with https, or forward the port of the gateway with `ssh -L` and use localhost.',
  })
}

export function unproven(url: string): CountersignError {
  return new CountersignError(
    'gateway_unproven',
    `The program at ${url} did not prove that it is your gateway.`,
  )
}

/** Makes the request. The answer is not to be believed yet. */
export async function ask(
  send: Transport,
  url: string,
  { method, path, address, nonce }: Pick<ProofQuestion, 'method' | 'path' | 'address' | 'nonce'>,
  {
    headers = {},
    body,
    timeoutMs,
  }: { readonly headers?: Record<string, string>; readonly body?: string; readonly timeoutMs: number },
): Promise<TransportReply> {
  try {
    return await send(new URL(path, url), {
      method,
      headers: {
        ...headers,
        'countersign-nonce': nonce,
        [addressHeader]: address,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (cause) {
    throw new CountersignError('gateway_unreachable', `No gateway answers at ${url}.`, { cause })
  }
}

/** The whole text of an answer that the gateway signed. Throws what the gateway says went wrong. */
export async function provenText(
  url: string,
  question: ProofQuestion,
  response: TransportReply,
  proofPorts: ProofPorts,
): Promise<string> {
  const text = await response.text()
  await requireProof(url, question, response, await proofPorts.hash(text), proofPorts)
  if (!response.ok) throw errorOf(response.status, text)
  return text
}

/** The body of an answer whose beginning the gateway signed. What follows is only as good as the connection. */
export async function provenStream(
  url: string,
  question: ProofQuestion,
  response: TransportReply,
  proofPorts: ProofPorts,
): Promise<ReadableStream<Uint8Array> | null> {
  if (!response.ok) await provenText(url, question, response, proofPorts)
  await requireProof(url, question, response, streamedBody, proofPorts)
  return response.body
}

/** Throws unless the gateway signed this answer with this body. */
export async function requireProof(
  url: string,
  question: ProofQuestion,
  response: Pick<TransportReply, 'status' | 'headers'>,
  bodyHash: string,
  proofPorts: ProofPorts,
): Promise<void> {
  const proof = response.headers.get(proofHeader) ?? ''
  if (!(await proofPorts.proves(answerText({ ...question, status: response.status, bodyHash }), proof)))
    throw unproven(url)
}
