/** Whoever names a node is that node. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-gate.ts',
    from: "if (!node || !verifyText(publicKeyOf(node.key), nodeLinkText('node', nonces), answer.signature))",
    to: "if (!node || verifyText(publicKeyOf(node.key), nodeLinkText('node', nonces), answer.signature) === undefined)",
  },
])
