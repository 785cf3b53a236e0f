/** A gateway that was taken over seals by itself what no terminal ever showed: settings that programs of the host run. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, Tier } from '@countersign/contract'
import { openExecutor } from '../../../../../../packages/executor/src/executor.ts'
import { createTestHost, press } from '../../../../../../packages/executor/src/testing/host.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'boundary-sealed-by-gateway',
  promise: 'A change that acts outside the workspace is not made without the seal of a device.',
  mutant: 'boundaries-are-near',
  async run(stage) {
    const host = createTestHost()
    stage.afterwards(() => host.remove())
    const executor = await openExecutor(host.options)
    stage.afterwards(() => executor.close())
    executor.setWorld(host.world)
    const tried = async (tool: string, args: JsonObject, tier: Tier) => {
      const permit = await press(host, { tool, args, tier, sealBy: 'gateway' }, executor.resolve)
      const reply = await executor.execute(permit, new AbortController().signal)
      return reply.kind === 'refused' ? reply.reason : reply.kind
    }
    const content = '[core]\n\tfsmonitor = "touch /tmp/seen"\n'
    const honest = await tried('write_file', { path: 'notes.txt', content: 'x' }, 1)
    const saw = await Promise.all([
      tried('write_file', { path: 'sub/.git/config', content }, 2),
      tried('write_file', { path: '.vscode/tasks.json', content: '{}' }, 2),
      tried('create_folder', { path: '.husky' }, 2),
    ])
    return {
      open: ['sub/.git/config', '.vscode/tasks.json', '.husky'].some((path) =>
        existsSync(join(host.workspace, path)),
      ),
      control: honest === 'done' && existsSync(join(host.workspace, 'notes.txt')),
      saw: saw.join('; '),
    }
  },
}
