/**
 * Reaches what the app in a page is made of, as its own screens reach it: through React's tree. The pages have no door
 * for tests, so that nobody else finds one.
 */
import {
  type DeviceId,
  type GatewayId,
  type LiveState,
  liveText,
  type PasskeyStatement,
  registrationText,
  statementText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Page } from 'playwright-core'

/** An expression for the services of the app. */
const services = `(() => {
  const place = document.getElementById('app')
  const name = Object.keys(place).find((key) => key.startsWith('__reactContainer$'))
  const left = [place[name]?.stateNode.current]
  while (left.length > 0) {
    const fiber = left.pop()
    if (!fiber) continue
    const value = fiber.memoizedProps?.value
    if (value?.live?.get && value.decider) return value
    left.push(fiber.sibling, fiber.child)
  }
  throw new Error('The app is not there yet.')
})()`

export interface PageLive {
  readonly state: LiveState
  readonly link: { readonly kind: string }
  readonly skipped: number
}

export function liveIn(page: Page): Promise<PageLive> {
  return page.evaluate(
    `(() => { const { state, link, skipped } = ${services}.live.get(); return { state, link, skipped } })()`,
  )
}

/** What the gateway's `/v1/live/hash` says of the same state. */
export function hashOf(state: LiveState): string {
  return sha256Hex(liveText(state))
}

/** Makes a passkey with the page's authenticator and has the page's own key sign for it. */
export async function makePasskey(page: Page, gateway: GatewayId, device: DeviceId): Promise<string> {
  const text = JSON.stringify(registrationText(gateway, device))
  const made = await page.evaluate<{
    readonly kind: string
    readonly value: {
      readonly credential: string
      readonly key: string
      readonly site: string
      readonly registration: object
    }
  }>(`${services}.passkeys.make({ text: ${text}, name: 'Ana', exclude: [] })`)
  if (made.kind !== 'done') throw new Error(`The authenticator made no passkey: ${JSON.stringify(made)}`)
  const { credential, key, site, registration } = made.value
  const at = await page.evaluate<string>(`${services}.now().toISOString()`)
  const statement: PasskeyStatement = {
    v: 1,
    kind: 'passkey',
    gateway,
    at,
    credential,
    key,
    name: 'Ana',
    site,
  }
  await page.evaluate(`(async () => {
    const { client, thisDevice } = ${services}
    const signature = await thisDevice.sign(${JSON.stringify(statementText(statement))})
    await client.registerPasskey({
      signed: { statement: ${JSON.stringify(statement)}, by: { device: thisDevice.device, signature }, passkey: null },
      registration: ${JSON.stringify(registration)},
    })
  })()`)
  return credential
}

/** From now on the page changes one byte of a decision after it was sealed and before the request is signed. */
export async function changeBeforeSigning(page: Page, part: string): Promise<void> {
  await page.evaluate(`(() => {
    const { client } = ${services}
    const { decide } = client
    const other = (value, name) =>
      typeof value === 'string' ? (name === ${JSON.stringify(part)} ? (value[0] === 'a' ? 'b' : 'a') + value.slice(1) : value)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, other(each, key)]))
        : value
    client.decide = (ref, verdict) => decide(ref, other(verdict, ''))
  })()`)
}
