/** Whoever names the gateway is the gateway. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'node/src/node-session.ts',
    from: "verifyText(publicKeyOf(parts.gatewayKey), nodeLinkText('gateway', nonces), frame.proof)",
    to: "verifyText(publicKeyOf(parts.gatewayKey), nodeLinkText('gateway', nonces), frame.proof) !== undefined",
  },
])
