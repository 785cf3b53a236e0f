/** A file holds the value of a secret. The run reads the file and then looks at a host that was granted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { openSecretScene, read } from '../secret-scene.ts'

export const attack: Attack = {
  name: 'secret-content-leaves',
  promise:
    'What was made from content with a secret in it leaves only with an approval, whatever was granted.',
  mutant: 'masked-content-is-plain',
  async run(stage) {
    const { scene, workspace, look, reached } = await openSecretScene(stage)
    writeFileSync(join(workspace, 'plain.txt'), 'Buy bread.')
    scene.plan('plain', [[read('plain.txt')], [look('/plain')]])
    scene.plan('settings', [[read('settings.txt')], [look('/?user=mira')]])
    const plain = await scene.run('plain')
    const leaked = await scene.run('settings')
    const rules = leaked.detail.calls[1]?.decision?.rules.map(({ id }) => id) ?? []
    return {
      open: reached('/?user=mira'),
      control: reached('/plain') && leaked.detail.calls[0]?.outcome === 'ok',
      saw: `${callsOf(plain)}; ${callsOf(leaked)} by ${rules.join(' ')}`,
    }
  },
}
