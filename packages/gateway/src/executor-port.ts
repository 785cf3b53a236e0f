/** Owns the fit between the executor's client and the port of the kernel. */
import type { ExecutorClient } from '@countersign/executor'
import type { ExecutorPort } from '@countersign/kernel'

export function executorPort(client: ExecutorClient): ExecutorPort {
  const { executor, key } = client.ready()
  return {
    identity: { executor, key },
    async resolve(_operator, calls) {
      const resolved = await client.resolve(calls)
      return resolved.kind === 'resolved' ? resolved.replies : calls.map(() => undefined)
    },
    async execute(permits, signal, replied) {
      await client.execute(permits, { signal, onReply: replied })
    },
    setWorld: client.setWorld,
  }
}
