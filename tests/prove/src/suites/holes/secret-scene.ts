/** Owns a scene with a file that holds the value of a secret, and a host that may be looked at without a question. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, approveWith, looks, sceneAt } from './granting.ts'
import type { Stage } from './stage.ts'

const value = 'tok-c3d97e10b5a8'

export const read = (path: string) => ({ name: 'read_file', args: { path } })

/** The file is `settings.txt`. */
export async function openSecretScene(stage: Stage) {
  const host = await stage.listen()
  const scene = await sceneAt(stage, 'medium', [host])
  const { workspace } = scene.installation.paths
  await scene.gateway.client.storeSecret('service', {
    value,
    destinations: [{ scheme: 'https', host: 'service.example', port: 443 }],
  })
  writeFileSync(join(workspace, 'settings.txt'), `TOKEN=${value}\nUSER=mira`)
  const look = (path: string) => ({ name: 'http_request', args: { url: `${addressOf(host)}${path}` } })
  scene.plan('grant', [[look('/')]])
  await approveWith(scene, await scene.run('grant'), looks)
  return {
    scene,
    workspace,
    look,
    /** Whether a look at this path came to the host. */
    reached: (path: string) => host.seen.some(({ url }) => url === path),
  }
}
