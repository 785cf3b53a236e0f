/**
 * A page with the link of `countersign open` finds another gateway at the address: one with a key of its own, which it
 * proves. With what the page sends there, whoever runs it could be let in instead of the page.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerText, idFrom, proofHeader } from '@countersign/contract'
import { type PairingCalls, pairingCalls } from '@countersign/contract/client'
import { fingerprint, publicKeyOf, sha256Hex, signText, verifyText } from '@countersign/contract/node'
import { isExpectedGateway } from '../../../../../../packages/web/src/app/pair/expected-gateway.ts'
import type { Attack } from '../attack.ts'
import { pairingRequest } from '../pairing-request.ts'

export const attack: Attack = {
  name: 'link-to-another-gateway',
  promise: 'A page with a link asks to be let in by the gateway that the link names, and by no other.',
  mutant: 'links-name-nobody',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    const { trust } = installation.identity
    const link = { secret: randomBytes(32).toString('base64url'), gateway: fingerprint(trust.gateway.key) }
    const impostor = await startImpostor(trust.gateway.id)
    stage.afterwards(() => impostor.close())
    const page = (url: string) =>
      pairingCalls({
        url,
        isExpected: (info) => isExpectedGateway(info, { link, known: undefined, wasLetIn: false }),
        ports: {
          nonce: () => randomBytes(16).toString('hex'),
          hash: async (text) => sha256Hex(text),
          verify: async (key, text, signature) => verifyText(publicKeyOf(key), text, signature),
        },
      })
    const problem = await ask(page(impostor.url), link.secret).then(
      () => 'nothing wrong',
      (error: Error & { readonly code?: string }) => error.code ?? error.message,
    )
    const honest = await ask(page(gateway.url), link.secret)
    await gateway.client.refusePairing(honest)
    return {
      open: impostor.asked() > 0,
      control: honest !== '',
      saw: `${impostor.asked()} requests at the other gateway; the page said ${problem}`,
    }
  },
}

/** As the page of the web app asks. */
async function ask(calls: PairingCalls, secret: string): Promise<string> {
  const { key } = await calls.info()
  const { id } = await calls.request(
    pairingRequest(key, secret, { name: 'Chrome', platform: 'Linux', reach: 3 }),
  )
  return id
}

async function startImpostor(gateway: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  let asked = 0
  let url = ''
  const server = createServer((request, response) => {
    const isInfo = request.url === '/v1/pairing'
    if (!isInfo) asked += 1
    const device = idFrom('dev', '0'.repeat(32))
    const body = JSON.stringify(
      isInfo
        ? { gateway, key, name: 'home', passkeys: false }
        : { id: '0'.repeat(32), device, expiresAt: new Date().toISOString() },
    )
    const text = answerText({
      gateway,
      address: url,
      method: request.method ?? '',
      path: request.url ?? '',
      nonce: String(request.headers['countersign-nonce']),
      status: 200,
      bodyHash: sha256Hex(body),
    })
    request.resume().once('end', () => {
      response.setHeader(proofHeader, signText(privateKey, text))
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked: () => asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
