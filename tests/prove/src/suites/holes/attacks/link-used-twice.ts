/** Somebody who saw the picture of `countersign open --phone` uses its link too, after the phone, or at another origin. */
import { createHmac, randomBytes } from 'node:crypto'
import { linkText, pairingText } from '@countersign/contract'
import { generateKey, signText } from '@countersign/contract/node'
import { invitationBy } from '../../../../../../packages/cli/src/commands/pairing-link.ts'
import type { Attack } from '../attack.ts'
import { askAnyhow, openPublicScene, publicName, publicOrigin } from '../public-origin.ts'
import type { Scene } from '../stage.ts'

export const attack: Attack = {
  name: 'link-used-twice',
  promise:
    'A link lets one device ask, at the origin that it is for; nobody asks from elsewhere without one.',
  mutant: 'links-stay-open',
  async run(stage) {
    const scene = await openPublicScene(stage)
    const secret = randomBytes(32).toString('base64url')
    const uninvited = await asks(scene, secret)
    await scene.gateway.client.invite({ invitation: invitationBy(secret), origin: publicOrigin })
    const phone = await asks(scene, secret)
    const stranger = await asks(scene, secret)
    return {
      open: uninvited === 200 || stranger === 200,
      control: phone === 200,
      saw: `without a link ${uninvited}, the phone ${phone}, a second one ${stranger}`,
    }
  },
}

/** As the page asks with a key of its own; how it was answered. */
async function asks(scene: Scene, secret: string): Promise<number> {
  const { key: gatewayKey } = scene.installation.identity.trust.gateway
  const keys = generateKey()
  const nonce = randomBytes(16).toString('base64url')
  const { status } = await askAnyhow(scene, {
    method: 'POST',
    path: '/v1/pairing/requests',
    headers: { host: publicName, 'countersign-nonce': randomBytes(16).toString('hex') },
    body: {
      key: keys.publicKey,
      name: 'phone',
      platform: 'Android',
      reach: 2,
      nonce,
      signature: signText(keys.privateKey, pairingText(gatewayKey, keys.publicKey, nonce)),
      proof: createHmac('sha256', secret).update(linkText(keys.publicKey, nonce)).digest('base64'),
      invitation: invitationBy(secret),
    },
  })
  return status
}
