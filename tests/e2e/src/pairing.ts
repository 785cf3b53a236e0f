/**
 * Owns how a page of a test is let in: as `countersign open` does it. The secret stands in the fragment of the address,
 * the page proves it, and the host's own device signs for the page's key.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import {
  type DeviceId,
  idFrom,
  invitationText,
  linkText,
  type PairingRequestView,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '@countersign/contract'
import { fingerprint, generateKey, signText } from '@countersign/contract/node'
import type { GatewayProcess, Installation } from '@countersign/harness'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from './until.ts'

export interface PairedPage {
  readonly page: Page
  readonly device: DeviceId
  /** The address of a place in the app. */
  at(path: string): string
}

export async function pairedPage(
  context: BrowserContext,
  installation: Pick<Installation, 'identity' | 'now'>,
  gateway: Pick<GatewayProcess, 'url' | 'client'>,
  path = '/approvals',
  origin = `http://localhost:${new URL(gateway.url).port}`,
): Promise<PairedPage> {
  const secret = randomBytes(32).toString('base64url')
  // At an address elsewhere only who was invited may ask.
  if (origin.startsWith('https:'))
    await gateway.client.invite({
      invitation: createHash('sha256').update(invitationText(secret)).digest('base64url'),
      origin,
    })
  const page = await context.newPage()
  const known = fingerprint(installation.identity.trust.gateway.key)
  await page.goto(`${origin}${path}#pair=${secret}&gateway=${known}`)
  const request = await until(async () =>
    (await gateway.client.pairingRequests()).find((each) => provesLink(secret, each)),
  )
  await letIn(installation, gateway, request)
  await isLive(page)
  return { page, device: request.device, at: (place) => `${origin}${place}` }
}

/** A device that nobody uses. */
export async function unusedDevice(
  installation: Pick<Installation, 'identity' | 'now'>,
  gateway: Pick<GatewayProcess, 'client'>,
  name: string,
): Promise<DeviceId> {
  const device = idFrom('dev', randomUUID())
  const { publicKey: key } = generateKey()
  await letIn(installation, gateway, { device, key, name, platform: 'browser', reach: 2 })
  return device
}

export async function letIn(
  installation: Pick<Installation, 'identity' | 'now'>,
  { client }: Pick<GatewayProcess, 'client'>,
  {
    device,
    key,
    name,
    platform,
    reach,
  }: Pick<PairingRequestView, 'device' | 'key' | 'name' | 'platform' | 'reach'>,
): Promise<void> {
  const statement: TrustStatement = {
    v: 1,
    gateway: installation.identity.trust.gateway.id,
    at: installation.now().toISOString(),
    kind: 'device',
    device,
    key,
    name,
    platform,
    reach,
  }
  await client.stateDevice(signedByHost(installation, statement))
}

/** Waits until the page follows the log. */
export function isLive(page: Page): Promise<void> {
  return page
    .getByText(/^Live( ·|$)/)
    .first()
    .waitFor()
}

/** Takes a device or a passkey away, for ever. */
export async function revoke(
  installation: Pick<Installation, 'identity' | 'now'>,
  { client }: Pick<GatewayProcess, 'client'>,
  target: string,
): Promise<void> {
  const at = installation.now().toISOString()
  await client.stateDevice(
    signedByHost(installation, {
      v: 1,
      gateway: installation.identity.trust.gateway.id,
      at,
      kind: 'revoke',
      target,
    }),
  )
}

export function signedByHost(
  { identity }: Pick<Installation, 'identity'>,
  statement: TrustStatement,
): SignedStatement {
  const { id, keys } = identity.device
  const signature = signText(keys.privateKey, statementText(statement))
  return { statement, by: { device: id, signature }, passkey: null }
}

function provesLink(secret: string, { key, nonce, proof }: PairingRequestView): boolean {
  return proof === createHmac('sha256', secret).update(linkText(key, nonce)).digest('base64')
}
