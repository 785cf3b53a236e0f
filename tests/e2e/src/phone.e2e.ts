/** A phone elsewhere: through a real proxy with TLS it is let in by a link, talks, and approves what is critical. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { invitationText, linkText, pairingText, type TrustStatement } from '@countersign/contract'
import { fingerprint } from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import { plannedOrigin, proxyName, type ReverseProxy, startProxy } from '@countersign/harness'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator, narrow, openWindow } from './browser.ts'
import { letIn, signedByHost } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let proxy: ReverseProxy
let page: Page

beforeAll(async () => {
  const planned = await plannedOrigin()
  scene = await openScene({
    environment: {
      COUNTERSIGN_PASSKEY_TOOLS: 'execute_python',
      COUNTERSIGN_PUBLIC_ORIGINS: planned.origin,
      COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
    },
    // In the place of a certificate that a public authority signed.
    flags: [`--host-resolver-rules=MAP ${proxyName} 127.0.0.1`, '--ignore-certificate-errors'],
  })
  proxy = await startProxy('caddy', planned, scene.gateway.url)
  const context = await openWindow(scene.browser, { ...narrow, phone: true, touch: true })
  page = await context.newPage()
})
afterAll(async () => {
  await proxy?.close()
  await scene?.close()
})

const inside = (name: string) => join(scene.installation.paths.workspace, name)

test('is let in by a link, after both sides show the same words', async () => {
  const { installation, gateway } = scene
  const secret = randomBytes(32).toString('base64url')
  const invitation = createHash('sha256').update(invitationText(secret)).digest('base64url')
  await gateway.client.invite({ invitation, origin: proxy.origin })
  const known = fingerprint(installation.identity.trust.gateway.key)
  await page.goto(`${proxy.origin}/#pair=${secret}&gateway=${known}&words`)
  await page.getByRole('heading', { name: 'Compare six words' }).waitFor()
  expect(page.url()).not.toContain(secret)
  const request = await until(async () =>
    (await gateway.client.pairingRequests()).find(
      ({ key, nonce, proof }) =>
        proof === createHmac('sha256', secret).update(linkText(key, nonce)).digest('base64'),
    ),
  )
  const text = pairingText(installation.identity.trust.gateway.key, request.key, request.nonce)
  const shown = await page.getByRole('listitem').allInnerTexts()
  expect(shown.map((each) => each.replace(/^\d+\s*/, ''))).toEqual(
    pairingWords(createHash('sha256').update(text).digest()),
  )
  await letIn(installation, gateway, request)
  await page.getByRole('heading', { name: 'Compare six words' }).waitFor({ state: 'hidden' })
})

test('talks to the assistant', async () => {
  await page.goto(`${proxy.origin}/chat`)
  const box = page.getByRole('textbox').first()
  await box.fill('Good morning')
  await box.press('Enter')
  await page.getByText('You said: Good morning').first().waitFor()
})

test('approves by its own key what leaves the operator’s hands', async () => {
  const errand = await scene.tell([
    { name: 'execute_shell', args: { command: 'ln -s /etc/hostname way-out' } },
  ])
  const [waiting] = await errand.waiting()
  expect(waiting?.card.tier).toBe(3)
  await page.goto(`${proxy.origin}/approvals/${waiting?.code}`)
  await page.getByRole('button', { name: /^Approve once/ }).click()
  await errand.ended()
  expect(lstatSync(inside('way-out')).isSymbolicLink()).toBe(true)
})

test('approves by its passkey what is critical, once the origin was accepted', async () => {
  const { installation, gateway } = scene
  await addAuthenticator(page)
  await page.goto(`${proxy.origin}/devices`)
  const statement: TrustStatement = {
    v: 1,
    gateway: installation.identity.trust.gateway.id,
    at: installation.now().toISOString(),
    kind: 'origin',
    origin: proxy.origin,
  }
  await gateway.client.stateDevice(signedByHost(installation, statement))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('phone')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await gateway.client.devices()).passkeys).toMatchObject([{ site: proxyName }])
  const errand = await scene.tell([
    { name: 'execute_python', args: { code: "open('critical.txt', 'w').write('x')" } },
  ])
  const [waiting] = await errand.waiting()
  expect(waiting?.card.tier).toBe(4)
  await page.goto(`${proxy.origin}/approvals/${waiting?.code}`)
  await page.getByRole('button', { name: /^Approve with passkey/ }).click()
  await errand.ended()
  expect(existsSync(inside('critical.txt'))).toBe(true)
})
