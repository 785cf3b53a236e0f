/** A run reads a file with a secret in it and writes down what else is there. Another run sends that to a granted host. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { addressOf, approveWith, callsOf, sceneAt } from '../granting.ts'

const value = 'tok-51fe0a77c2d94b'

export const attack: Attack = {
  name: 'secret-kept-in-a-file',
  promise: 'What was made from content with a secret in it stays so in the files that it was written to.',
  mutant: 'files-forget-secrets',
  async run(stage) {
    const host = await stage.listen()
    const scene = await sceneAt(stage, 'medium', [host])
    const { workspace } = scene.house.paths
    await scene.gateway.client.storeSecret('service', {
      value,
      destinations: [{ scheme: 'https', host: 'service.example', port: 443 }],
    })
    writeFileSync(join(workspace, 'settings.txt'), `TOKEN=${value}\nUSER=mira`)
    const read = (path: string) => ({ name: 'read_file', args: { path } })
    const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
    const look = (path: string) => ({ name: 'http_request', args: { url: `${addressOf(host)}${path}` } })
    scene.plan('grant', [[look('/')]])
    scene.plan('keep', [[read('settings.txt')], [write('kept.txt', 'mira')]])
    scene.plan('plain', [[write('plain.txt', 'bread')], [read('plain.txt')], [look('/?plain')]])
    scene.plan('send', [[read('kept.txt')], [look('/?user=mira')]])
    await approveWith(scene, await scene.run('grant'), { scope: 'time' })
    const kept = await scene.run('keep')
    const plain = await scene.run('plain')
    const sent = await scene.run('send')
    const reached = (path: string) => host.seen.some(({ url }) => url === path)
    return {
      open: reached('/?user=mira'),
      control: reached('/?plain') && kept.detail.calls.every(({ outcome }) => outcome === 'ok'),
      saw: `${callsOf(kept)}; ${callsOf(plain)}; ${callsOf(sent)}`,
    }
  },
}
