/** A file that strangers wrote has a second name, and a search of another folder tells what is in it under that. */
import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { writesAfter } from '../stranger-writes.ts'
import { lay, writeAfter } from '../strangers-words.ts'

const word = 'BULLACE'

export const attack: Attack = {
  name: 'search-finds-a-second-name',
  promise: 'A search tells nothing of a marked file under another name and stays trusted.',
  mutant: 'searches-know-one-name',
  async run(stage) {
    const scene = await stage.ownScene()
    const at = (path: string) => join(scene.installation.paths.workspace, path)
    await writesAfter(scene, 'mark', [{ path: 'kept/page.md', content: `# Page\n\n${word} theirs\n` }])
    lay(scene, 'desk/own.md', `${word} mine`)
    const search = (path: string) => [{ name: 'search_files', args: { query: word, path } }]
    const before = await writeAfter(scene, 'before', search('desk'))
    mkdirSync(at('desk/deep'))
    linkSync(at('kept/page.md'), at('desk/deep/second.md'))
    const near = await writeAfter(scene, 'near', search('desk'))
    const whole = await writeAfter(scene, 'whole', search('.'))
    const tells = (run: string) => scene.shown(run).includes('theirs')
    return {
      open: (near === 'allow' && tells('near')) || (whole === 'allow' && tells('whole')),
      control: before === 'allow' && scene.shown('near').includes('mine'),
      saw: `in its folder: ${near}${tells('near') ? ', told' : ''}; everywhere: ${whole}${tells('whole') ? ', told' : ''}`,
    }
  },
}
