/** What stands in the profile and in the conversation comes to a reader along with its question. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'reader-is-told-more',
  promise:
    'A reader is told its question and nothing else: no profile, no instructions, no conversation, no files.',
  mutant: 'readers-are-told-more',
  async run(stage) {
    const scene = await stage.ownScene()
    await scene.gateway.client.setProfile({ name: 'Vera', instructions: ['Mind the PIN 4711.'] })
    writeFileSync(join(scene.installation.paths.workspace, 'diary.txt'), 'My PIN is 4711.')
    const question = 'lamps cost what?'
    scene.plan('find', [
      [{ name: 'read_file', args: { path: 'diary.txt' } }],
      [{ name: 'read_web', args: { question } }],
    ])
    const played = await scene.run('find what lamps cost, I am Vera')
    const told = scene.shown('lamps')
    return {
      open: /4711|Vera|diary/.test(told),
      control: told.includes(question) && played.detail.calls[1]?.outcome === 'ok',
      saw: `${played.detail.calls.map(({ tool, outcome }) => `${tool} ${outcome}`).join(', ')}; told ${told.length} characters`,
    }
  },
}
