/** A file holds the value of a secret. The run reads the file and then looks at a host that was granted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { addressOf, approveWith, callsOf, sceneAt } from '../granting.ts'

const value = 'tok-c3d97e10b5a8'

export const attack: Attack = {
  name: 'secret-content-leaves',
  promise:
    'What was made from content with a secret in it leaves only with an approval, whatever was granted.',
  mutant: 'masked-content-is-plain',
  async run(stage) {
    const host = await stage.listen()
    const scene = await sceneAt(stage, 'medium', [host])
    const { workspace } = scene.house.paths
    await scene.gateway.client.storeSecret('service', {
      value,
      destinations: [{ scheme: 'https', host: 'service.example', port: 443 }],
    })
    writeFileSync(join(workspace, 'plain.txt'), 'Buy bread.')
    writeFileSync(join(workspace, 'settings.txt'), `TOKEN=${value}\nUSER=mira`)
    const read = (path: string) => ({ name: 'read_file', args: { path } })
    const look = (path: string) => ({ name: 'http_request', args: { url: `${addressOf(host)}${path}` } })
    scene.plan('grant', [[look('/')]])
    scene.plan('plain', [[read('plain.txt')], [look('/plain')]])
    scene.plan('settings', [[read('settings.txt')], [look('/?user=mira')]])
    await approveWith(scene, await scene.run('grant'), { scope: 'time' })
    const plain = await scene.run('plain')
    const leaked = await scene.run('settings')
    const rules = leaked.detail.calls[1]?.decision?.rules.map(({ id }) => id) ?? []
    const reached = (path: string) => host.seen.some(({ url }) => url === path)
    return {
      open: reached('/?user=mira'),
      control: reached('/plain') && leaked.detail.calls[0]?.outcome === 'ok',
      saw: `${callsOf(plain)}; ${callsOf(leaked)} by ${rules.join(' ')}`,
    }
  },
}
