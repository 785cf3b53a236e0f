/** Somebody who saw the picture of `countersign open --phone` uses its link too, after the phone, or at another origin. */
import { randomBytes } from 'node:crypto'
import { invitationBy } from '../../../../../../packages/cli/src/commands/pairing-link.ts'
import type { Attack } from '../attack.ts'
import { pairingRequest } from '../pairing-request.ts'
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

/** How it was answered. */
async function asks(scene: Scene, secret: string): Promise<number> {
  const { key } = scene.installation.identity.trust.gateway
  const phone = { name: 'phone', platform: 'Android', reach: 2 } as const
  const { status } = await askAnyhow(scene, {
    method: 'POST',
    path: '/v1/pairing/requests',
    headers: { host: publicName, 'countersign-nonce': randomBytes(16).toString('hex') },
    body: { ...pairingRequest(key, secret, phone), invitation: invitationBy(secret) },
  })
  return status
}
