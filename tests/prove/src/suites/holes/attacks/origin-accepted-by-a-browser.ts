/** A paired browser that was taken over says that passkeys count at the origin of a stranger's page. */
import { createClient } from '@countersign/contract/client'
import { fileSigner } from '@countersign/contract/node'
import { originSigned } from '../../../../../../packages/cli/src/commands/device-statement.ts'
import {
  deviceStatement,
  newHolder,
  signedBy,
} from '../../../../../../packages/executor/src/testing/statements.ts'
import type { Attack } from '../attack.ts'
import { openPublicScene, publicOrigin } from '../public-origin.ts'

export const attack: Attack = {
  name: 'origin-accepted-by-a-browser',
  promise:
    'Where passkeys count is said by the host’s own device or with a passkey, and by no paired browser.',
  mutant: 'browsers-accept-origins',
  async run(stage) {
    const { installation, gateway } = await openPublicScene(stage)
    const { trust, device } = installation.identity
    const browser = newHolder()
    await gateway.client.stateDevice(
      signedBy(deviceStatement(trust.gateway.id, browser, 3, installation.now()), device),
    )
    const taken = createClient({ url: gateway.url, signer: fileSigner({ trust, device: browser }) })
    const evil = 'https://home.example.com.evil.example'
    const answer = await taken
      .stateDevice(originSigned({ trust, device: browser }, evil, installation.now()))
      .then(
        () => 'accepted',
        (error: Error) => error.message,
      )
    await gateway.client.stateDevice(originSigned({ trust, device }, publicOrigin, installation.now()))
    const { origins } = await gateway.client.devices()
    const accepted = origins.filter(({ acceptedAt }) => acceptedAt !== null).map(({ origin }) => origin)
    return {
      open: accepted.includes(evil),
      control: accepted.includes(publicOrigin),
      saw: `the browser was told: ${answer}; accepted: ${accepted.join(', ')}`,
    }
  },
}
