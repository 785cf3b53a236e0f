/** A node is revoked while it is connected: its connection must not go on telling it what the gateway knows. */

import { revocation, signedBy } from '../../../../../../packages/executor/src/testing/statements.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { connectComputer, letInNode } from '../other-computer.ts'

export const attack: Attack = {
  name: 'revoked-node-listens',
  promise: 'A computer that was put out is disconnected at once, and let in again by nobody.',
  mutant: 'revoked-nodes-stay',
  async run(stage) {
    const scene = await stage.ownScene()
    const { installation, gateway } = scene
    const { trust, device } = installation.identity
    const laptop = await letInNode(scene, 'laptop')
    const connected = await connectComputer(stage, scene, laptop)
    let isClosed = false
    void connected.closed.then(() => (isClosed = true))
    await gateway.client.stateDevice(
      signedBy(revocation(trust.gateway.id, laptop.node.id, installation.now()), device),
    )
    // Whoever is told of what holds next still listens.
    const desk = await letInNode(scene, 'desk')
    await connectComputer(stage, scene, desk)
    const isOut = await until(() => isClosed, 5_000)
    return {
      open: !isOut,
      control: connected.heard.some(({ type }) => type === 'world'),
      saw: isOut ? `it was told: ${await connected.closed}` : 'it is still connected',
    }
  },
}
