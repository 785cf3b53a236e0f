/**
 * Owns how this computer becomes a node. It asks, shows words that bind three keys, and believes nobody until the
 * operator has compared them: then the statement about it must be signed by the very device whose key the words bind.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import {
  CountersignError,
  invitationText,
  type NodePairingBody,
  NodePairingInfo,
  NodePairingRequested,
  NodePairingState,
  nodePairingText,
  type SignedStatement,
} from '@countersign/contract'
import {
  checkStatement,
  prepareOwnFolder,
  readOrCreateKey,
  rootsOf,
  sha256Hex,
  signText,
  type TrustFile,
  writeNew,
} from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import type { z } from 'zod'
import { keepPairing, type NodePaths, type Pairing, requireApart } from './node-home.ts'
import { firstPolicy, keepNodePolicy } from './node-policy.ts'

export interface PairingParts {
  readonly paths: NodePaths
  /** Where the gateway is, such as https://house.example. */
  readonly address: string
  readonly invitation?: string | undefined
  readonly name: string
  readonly platform: string
  readonly shared: string
  readonly nonce: () => string
  readonly now: () => Date
  readonly wait: (ms: number) => Promise<void>
  /** The operator compares them with what the host shows. */
  readonly show: (words: readonly string[], expiresAt: string) => void
  readonly fetch?: typeof fetch
}

const lookMs = 1_500
const longestAnswer = 64 * 1024

export async function pairNode(parts: PairingParts): Promise<Pairing> {
  const { paths, name, platform, shared, nonce, now } = parts
  if (existsSync(paths.pairing) || existsSync(paths.trust))
    throw new CountersignError('conflict', 'This computer is a node already.', {
      next: 'Run `countersign node forget` first, to pair it anew.',
    })
  const address = pairingAddress(parts.address)
  requireApart(paths, shared)
  prepareOwnFolder(paths.folder)
  const keys = readOrCreateKey(paths.key)
  const info = await ask(parts, NodePairingInfo, new URL('/v1/nodes/pairing', address))
  const number = nonce()
  const text = nodePairingText({ gateway: info.key, root: info.root.key, node: keys.publicKey }, number)
  const body: NodePairingBody = {
    key: keys.publicKey,
    name,
    platform,
    nonce: number,
    signature: signText(keys.privateKey, text),
    ...(parts.invitation === undefined ? {} : { invitation: invitationBy(parts.invitation) }),
  }
  const requests = new URL('/v1/nodes/pairing/requests', address)
  const requested = await ask(parts, NodePairingRequested, requests, body)
  parts.show(pairingWords(Buffer.from(sha256Hex(text), 'hex')), requested.expiresAt)
  const signed = await approved(parts, new URL(`${requests.pathname}/${requested.id}`, address))
  const trust: TrustFile = {
    v: 1,
    operator: info.operator,
    gateway: { id: info.gateway, key: info.key },
    executor: { id: requested.executor, key: keys.publicKey },
    devices: [
      {
        id: info.root.device,
        name: info.root.name,
        key: info.root.key,
        addedAt: info.root.addedAt,
        revokedAt: null,
      },
    ],
  }
  const pairing = await pairingFrom(signed, trust, {
    address,
    shared,
    requested,
    pairedAt: now().toISOString(),
  })
  mkdirSync(shared, { recursive: true })
  keepNodePolicy(paths.policy, firstPolicy)
  if (!writeNew(paths.trust, `${JSON.stringify(trust, null, 2)}\n`))
    throw new CountersignError('conflict', 'Another pairing was faster.', {
      next: 'See `countersign node status`.',
    })
  keepPairing(paths, pairing)
  return pairing
}

/** The statement is about this node, in every word, and the device whose key the words bind signed it. */
async function pairingFrom(
  signed: SignedStatement,
  trust: TrustFile,
  told: Pick<Pairing, 'address' | 'shared' | 'pairedAt'> & { readonly requested: NodePairingRequested },
): Promise<Pairing> {
  const { statement } = signed
  const { address, shared, pairedAt, requested } = told
  const nobody = () => false
  const checked = await checkStatement(rootsOf(trust), signed, nobody)
  const problem =
    checked.kind === 'refused'
      ? checked.reason
      : statement.kind !== 'node' || statement.key !== trust.executor.key
        ? 'it is about something else'
        : statement.node !== requested.node || statement.executor !== requested.executor
          ? 'it names another node'
          : null
  if (problem !== null || statement.kind !== 'node')
    throw new CountersignError(
      'not_authenticated',
      `What was signed about this computer does not hold: ${problem}.`,
      {
        next: 'Do not continue: somebody may stand between. Compare the words again, with `countersign node pair`.',
      },
    )
  const { node, executor, name } = statement
  return { v: 1, address, gateway: trust.gateway.id, node, executor, name, shared, pairedAt }
}

/** The gateway was told its hash, and knows by it that the operator gave the word of the invitation. */
function invitationBy(secret: string): string {
  return createHash('sha256').update(invitationText(secret)).digest('base64url')
}

async function approved(parts: PairingParts, url: URL): Promise<SignedStatement> {
  for (;;) {
    const { state, signed } = await ask(parts, NodePairingState, url)
    if (state === 'approved' && signed) return signed
    if (state === 'refused')
      throw new CountersignError('denied_by_operator', 'The operator refused this computer.', {
        next: 'Nothing was changed. Ask again with `countersign node pair`.',
      })
    if (state === 'expired')
      throw new CountersignError('expired', 'The words expired before they were confirmed.', {
        next: 'Run `countersign node pair` again, and confirm on the host within ten minutes.',
      })
    await parts.wait(lookMs)
  }
}

/** Other names than this computer's own are reached over TLS, so that nobody on the way reads along. */
export function pairingAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHere = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw new CountersignError(
      'usage',
      `${text} is not an address of a gateway that can be reached safely.`,
      {
        next: 'Give the address under which you reach it elsewhere, such as https://house.example.',
      },
    )
  return url.origin
}

async function ask<Shape extends z.ZodType>(
  parts: PairingParts,
  shape: Shape,
  url: URL,
  body?: NodePairingBody,
): Promise<z.infer<Shape>> {
  const response = await (parts.fetch ?? fetch)(url, {
    redirect: 'error',
    ...(body
      ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}),
    signal: AbortSignal.timeout(20_000),
  }).catch((cause: unknown) => {
    throw new CountersignError('gateway_unreachable', `There is no answer from ${url.origin}.`, {
      cause,
      next: 'Check the address, and that the gateway runs there.',
    })
  })
  const text = await textOf(response)
  if (!response.ok)
    throw new CountersignError(codeOf(response.status), refusalIn(text, response.status), {
      next: 'On the host, see `countersign node --help` for how a computer is let in.',
    })
  const read = shape.safeParse(parsed(text))
  if (read.success) return read.data
  throw new CountersignError('gateway_unproven', `${url.origin} does not answer as a gateway does.`)
}

function codeOf(status: number): 'denied_by_policy' | 'gateway_unreachable' | 'usage' {
  if (status === 403 || status === 401) return 'denied_by_policy'
  return status >= 500 ? 'gateway_unreachable' : 'usage'
}

/** Others wrote it, and a terminal shows it. */
function refusalIn(text: string, status: number): string {
  const message = (parsed(text) as { error?: { message?: unknown } } | undefined)?.error?.message
  const words =
    typeof message === 'string' ? message.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').slice(0, 300) : ''
  return words === '' ? `The gateway answered with ${status}.` : words
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > longestAnswer) throw new CountersignError('gateway_unproven', 'The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
