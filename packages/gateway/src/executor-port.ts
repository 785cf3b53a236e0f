/** Owns the fit between the executor's client and the port of the kernel. */
import type { ExecutorPort } from '@countersign/contract'
import type { ExecutorClient, WorkForPermit } from '@countersign/executor'

/** Before a call takes a secret along, what another process may have changed about it is masked here too. */
export function executorPort(
  client: ExecutorClient,
  refreshSecrets: () => Promise<void>,
  work: WorkForPermit,
): ExecutorPort {
  const { executor, key } = client.ready()
  return {
    identity: { executor, key },
    async resolve(_operator, calls) {
      const resolved = await client.resolve(calls)
      return resolved.kind === 'resolved' ? resolved.replies : calls.map(() => undefined)
    },
    async execute(permits, signal, replied) {
      try {
        if (permits.some(({ subject }) => subject.secrets.length > 0)) await refreshSecrets()
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        const reason = `the secrets cannot be read: ${words}`
        return permits.forEach((_, index) => replied(index, { kind: 'refused', reason }))
      }
      await client.execute(permits, { signal, onReply: replied, work })
    },
    setWorld: client.setWorld,
  }
}
