/** A gateway that was taken over seals by itself what no terminal ever showed: settings that programs of the host run. */
import type { JsonObject, Tier } from '@countersign/contract'
import { sealTestPermit } from '../../../../../../packages/executor/src/testing/host.ts'
import type { Attack } from '../attack.ts'
import { openLoneExecutor } from '../lone-executor.ts'

export const attack: Attack = {
  name: 'boundary-sealed-by-gateway',
  promise: 'A change that acts outside the workspace is not made without the seal of a device.',
  mutant: 'boundaries-are-near',
  async run(stage) {
    const { host, resolve, made, isThere } = await openLoneExecutor(stage)
    const tried = async (tool: string, args: JsonObject, tier: Tier) =>
      made(await sealTestPermit(host, { tool, args, tier, sealBy: 'gateway' }, resolve))
    const content = '[core]\n\tfsmonitor = "touch /tmp/seen"\n'
    const honest = await tried('write_file', { path: 'notes.txt', content: 'x' }, 1)
    const saw = await Promise.all([
      tried('write_file', { path: 'sub/.git/config', content }, 2),
      tried('write_file', { path: '.vscode/tasks.json', content: '{}' }, 2),
      tried('create_folder', { path: '.husky' }, 2),
    ])
    return {
      open: ['sub/.git/config', '.vscode/tasks.json', '.husky'].some(isThere),
      control: honest === 'done' && isThere('notes.txt'),
      saw: saw.join('; '),
    }
  },
}
