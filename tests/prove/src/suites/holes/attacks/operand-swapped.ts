/** Another session puts another script in place of the approved one, after its hash was compared and before it is run. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { whenSealed } from '../sealed-copy.ts'

export const attack: Attack = {
  name: 'operand-swapped',
  promise: 'A command runs the scripts that were approved, whatever stands there by then.',
  mutant: 'bytes-not-used',
  async run(stage) {
    const scene = await stage.ownScene()
    const { workspace, executor } = scene.installation.paths
    const at = (name: string) => join(workspace, name)
    writeFileSync(at('job.sh'), 'touch ran-as-approved\n')
    // The pause is longer than a swap takes, and shorter than anybody notices.
    const command = 'sleep 0.5; bash job.sh'
    scene.plan('operand', [[{ name: 'execute_shell', args: { command } }]])
    const stop = whenSealed(executor, 'job.sh', () => {
      writeFileSync(at('job.new'), 'touch ran-as-swapped\n')
      renameSync(at('job.new'), at('job.sh'))
    })
    stage.afterwards(stop)
    const { detail } = await scene.run('operand')
    return {
      open: existsSync(at('ran-as-swapped')),
      control: existsSync(at('ran-as-approved')) && detail.calls[0]?.outcome === 'ok',
      saw: `the command ended as ${detail.calls[0]?.outcome}; swapped: ${stop()}`,
    }
  },
}
