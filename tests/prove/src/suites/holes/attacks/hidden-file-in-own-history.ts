/** The operator called a repository theirs and commits a file that strangers wrote. Its history tells what is hidden. */
import type { Attack } from '../attack.ts'
import { commitAll, shell } from '../programs.ts'
import { writesAfter } from '../stranger-writes.ts'
import { lay, writeAfter } from '../strangers-words.ts'

const word = 'DAMSON'
const objects =
  'for f in repo/.gi?/objects/*/*; do python3 -c "import sys, zlib; print(zlib.decompress(open(sys.argv[1], \'rb\').read()))" "$f"; done; true'

export const attack: Attack = {
  name: 'hidden-file-in-own-history',
  promise:
    'The history of a repository with a marked file in it makes what is read of it untrusted, with git and without.',
  mutant: 'own-histories-are-own',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, 'repo/own.txt', 'Mine.')
    commitAll(scene, 'repo')
    await scene.gateway.client.trustFile('repo')
    const own = await writeAfter(scene, 'own', [shell('git -C repo show HEAD:own.txt')])
    await writesAfter(scene, 'mark', [{ path: 'repo/page.md', content: `# Page\n\n${word}\n` }])
    commitAll(scene, 'repo')
    const seen: Record<string, string> = {}
    for (const [way, command] of Object.entries({ show: 'git -C repo show HEAD:page.md', objects })) {
      const decision = await writeAfter(scene, way, [shell(command)])
      if (scene.shown(way).includes(word)) seen[way] = decision
    }
    return {
      open: Object.values(seen).includes('allow'),
      control: own === 'allow' && seen['show'] !== undefined,
      saw: `before it was committed: ${own}; read afterwards: ${JSON.stringify(seen)}`,
    }
  },
}
