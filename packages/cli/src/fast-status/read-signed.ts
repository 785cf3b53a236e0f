/**
 * Owns the short way to one proven reading of the gateway of this host, for commands that are asked often. It loads
 * nothing of the contract's shapes, which is most of the time that such a command takes. Refuses whatever is not as
 * usual: then the long way is taken, which says what is wrong.
 */
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { addressHeader, addressOf, answerText, jsonIn, proofHeader, requestText } from '@countersign/contract'
import type { HomePaths } from '../home.ts'
import { type Lease, liveLeases } from '../leases.ts'
import { publicKeyOf, sha256Hex, verifyText } from '../signed-lease.ts'

export type SignedReading =
  | { readonly kind: 'read'; readonly value: unknown; readonly url: string }
  /** Nothing listens; `url` is where it was looked for. */
  | { readonly kind: 'nobody'; readonly url: string | undefined }
  | { readonly kind: 'unusual' }

export interface SignedReadOptions {
  readonly paths: Pick<HomePaths, 'deviceKey' | 'trust' | 'lease'>
  /** Named by the operator; otherwise the leases of this host are asked. */
  readonly url: string | undefined
  readonly platform: NodeJS.Platform
  readonly now: () => Date
}

const answerMs = 5_000
const unusual: SignedReading = { kind: 'unusual' }

export async function readSigned(path: string, options: SignedReadOptions): Promise<SignedReading> {
  const leases = options.url === undefined ? leasesOf(options) : []
  // Which of several speaks for this home is for the long way to find out.
  if (leases === undefined || leases.length > 1) return unusual
  const url = options.url ?? leases[0]?.url
  if (url === undefined) return { kind: 'nobody', url }
  const address = addressOf(url)
  const speaker = speakerOf(options)
  if (address?.startsWith('http:') !== true || speaker === undefined) return unusual
  const time = options.now().toISOString()
  const nonce = randomBytes(16).toString('hex')
  const { key, device, gateway, gatewayKey } = speaker
  const asked = { gateway, address, method: 'GET', path, nonce }
  const text = requestText({ ...asked, device, time, bodyHash: sha256Hex('') })
  const signature = sign(null, Buffer.from(text), key).toString('base64')
  const answered = await get(new URL(path, url), {
    'countersign-device': device,
    'countersign-time': time,
    'countersign-nonce': nonce,
    'countersign-signature': signature,
    [addressHeader]: address,
  })
  if (answered === 'nobody') return { kind: 'nobody', url }
  if (answered === 'unusual') return unusual
  const proven = answerText({ ...asked, status: 200, bodyHash: sha256Hex(answered.text) })
  if (!verifyText(publicKeyOf(gatewayKey), proven, answered.proof)) return unusual
  const value = jsonIn(answered.text)
  return value === undefined ? unusual : { kind: 'read', value, url }
}

/** Undefined where they cannot be believed. */
function leasesOf({ paths }: SignedReadOptions): Lease[] | undefined {
  try {
    return liveLeases(paths)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** The device of this host. Nothing where the key could be read by others, or the trust file does not name it. */
function speakerOf({ paths, platform }: SignedReadOptions) {
  try {
    if (platform !== 'win32' && (statSync(paths.deviceKey).mode & 0o077) !== 0) return undefined
    const key = createPrivateKey(readFileSync(paths.deviceKey, 'utf8'))
    const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
    const trust: unknown = JSON.parse(readFileSync(paths.trust, 'utf8'))
    const gateway = valueAt(valueAt(trust, 'gateway'), 'id')
    const gatewayKey = valueAt(valueAt(trust, 'gateway'), 'key')
    const devices = valueAt(trust, 'devices')
    const device = Array.isArray(devices)
      ? devices.find((entry) => valueAt(entry, 'key') === own && valueAt(entry, 'revokedAt') === null)
      : undefined
    const id = valueAt(device, 'id')
    if (typeof gateway !== 'string' || typeof gatewayKey !== 'string' || typeof id !== 'string')
      return undefined
    return { key, gateway, gatewayKey, device: id }
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function valueAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

interface SignedReply {
  readonly text: string
  readonly proof: string
}

function get(url: URL, headers: Record<string, string>): Promise<SignedReply | 'nobody' | 'unusual'> {
  // An import would list all that the module offers, and so load `fetch`, which takes longer than the request.
  const { request } = process.getBuiltinModule('node:http')
  return new Promise((resolve) => {
    const sent = request(url, { headers, timeout: answerMs, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (part: string) => {
        text += part
      })
      incoming.once('error', () => resolve('unusual'))
      incoming.once('end', () => {
        const proof = incoming.headers[proofHeader]
        resolve(incoming.statusCode === 200 && typeof proof === 'string' ? { text, proof } : 'unusual')
      })
    })
    sent.once('timeout', () => {
      sent.destroy()
      resolve('unusual')
    })
    sent.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'unusual'),
    )
    sent.end()
  })
}
