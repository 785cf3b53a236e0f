/** Owns calls of extensions that ended, on a real database, and what they are counted as. */
import { type InstalledExtensions, noExtensions } from '@countersign/contract'
import { openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { createExtensionViews } from '../../../../../packages/views/src/extension-use.ts'
import { leaveCall } from '../../../../../packages/views/src/testing/ended-calls.ts'
import { startTestDatabase } from '../../../../harness/src/postgres.ts'
import type { Stage } from './stage.ts'

export interface UsedExtensions {
  /** Of a tool of the server `odd`. */
  call(tool: string, text: string, at: string): Promise<void>
  /** How often each of its tools was used, where the server was let in then. */
  counted(addedAt: string): Promise<(part: string) => number>
}

export async function openUsedExtensions(stage: Stage): Promise<UsedExtensions> {
  const database = await startTestDatabase()
  stage.afterwards(() => database.stop())
  const clock = () => new Date('2026-11-16T10:00:00.000Z')
  const kernel = await openIdleKernel({ connection: database.connection, clock })
  stage.afterwards(() => kernel.close())
  const owner = openOwner(database.connection, clock)
  stage.afterwards(() => owner.close())
  const views = createExtensionViews(kernel.readOnly, clock)
  return {
    async call(tool, text, at) {
      const args = { server: 'odd', tool, input: { text } }
      await leaveCall(owner, kernel.operator, { tool: 'call_server_tool', args, at: new Date(at) })
    },
    async counted(addedAt) {
      const { extensions } = await views.extensionUse(kernel.operator, installed(addedAt))
      const parts = extensions.flatMap((each) => each.parts)
      return (part) => parts.find((each) => each.part === part)?.calls ?? 0
    },
  }
}

function installed(addedAt: string): InstalledExtensions {
  const launch = { kind: 'http', url: 'https://odd.test/mcp', secret: null } as const
  const state = { tools: [], offered: [], gone: [], listedAt: null, paused: false }
  return { ...noExtensions, servers: [{ name: 'odd', launch, launchHash: '', ...state, addedAt }] }
}
