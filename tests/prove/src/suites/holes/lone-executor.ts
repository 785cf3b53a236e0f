/** Owns an executor that is handed permits as a gateway which was taken over would: the gateway's key is the attack's. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Permit } from '@countersign/contract'
import { openExecutor } from '../../../../../packages/executor/src/executor.ts'
import { createTestHost } from '../../../../../packages/executor/src/testing/host.ts'
import type { Stage } from './stage.ts'

export async function openLoneExecutor(stage: Stage) {
  const host = createTestHost()
  stage.afterwards(() => host.remove())
  const executor = await openExecutor(host.options)
  stage.afterwards(() => executor.close())
  executor.setWorld(host.world)
  return {
    host,
    resolve: executor.resolve,
    installed: () => executor.extensions.current(),
    replyTo: (permit: Permit) => executor.execute(permit, new AbortController().signal),
    /** Why it was refused, or how it ended. */
    async made(permit: Permit): Promise<string> {
      const reply = await executor.execute(permit, new AbortController().signal)
      return reply.kind === 'refused' ? reply.reason : reply.kind
    },
    isThere: (path: string) => existsSync(join(host.workspace, path)),
  }
}
