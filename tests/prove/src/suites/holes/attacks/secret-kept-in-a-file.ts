/** A run reads a file with a secret in it and writes down what else is there. Another run sends that to a granted host. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { openSecretScene, read } from '../secret-scene.ts'

export const attack: Attack = {
  name: 'secret-kept-in-a-file',
  promise: 'What was made from content with a secret in it stays so in the files that it was written to.',
  mutant: 'files-forget-secrets',
  async run(stage) {
    const { scene, look, reached } = await openSecretScene(stage)
    const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
    scene.plan('keep', [[read('settings.txt')], [write('kept.txt', 'mira')]])
    scene.plan('plain', [[write('plain.txt', 'bread')], [read('plain.txt')], [look('/?plain')]])
    scene.plan('send', [[read('kept.txt')], [look('/?user=mira')]])
    const kept = await scene.run('keep')
    const plain = await scene.run('plain')
    const sent = await scene.run('send')
    return {
      open: reached('/?user=mira'),
      control: reached('/?plain') && kept.detail.calls.every(({ outcome }) => outcome === 'ok'),
      saw: `${callsOf(kept)}; ${callsOf(plain)}; ${callsOf(sent)}`,
    }
  },
}
