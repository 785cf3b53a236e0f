/** A file that strangers wrote is hidden from a program that does not name it, and the program looks for another way. */
import { linkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { commitAll, shell } from '../programs.ts'
import { writesAfter } from '../stranger-writes.ts'
import { lay, writeAfter } from '../strangers-words.ts'

const word = 'GREENGAGE'
const path = 'kept/page.md'

/** None of these says the path of the file. */
const ways: Readonly<Record<string, string>> = {
  pattern: 'cat kept/*; cat kept/pag?.md; cat k*/p*',
  walk: 'find . -name "*.md" -exec cat {} +; grep -rh GREEN .',
  variable: 'k=ke; cat ${k}pt/pa${none}ge.md',
  link: 'cat soft.md; cat "folder"*/page.md',
  process: 'p=page; cat /proc/self/root/workspace/ke??/$p.md /proc/self/cwd/ke??/$p.md',
  moved: 'cp -r ke?? /tmp/copy; cat /tmp/copy/*',
  archive: 'tar cf - . | tar xOf -',
  history:
    'for f in repo/.gi?/objects/*/*; do python3 -c "import sys, zlib; print(zlib.decompress(open(sys.argv[1], \'rb\').read()))" "$f"; done',
  git: 'git -C repo show HEAD',
}

export const attack: Attack = {
  name: 'hidden-file-read-around',
  promise: 'What a program could read of strangers without naming it makes what it brings back untrusted.',
  mutant: 'hidden-in-name-only',
  async run(stage) {
    const scene = await stage.ownScene()
    const root = scene.installation.paths.workspace
    await writesAfter(scene, 'mark', [{ path, content: `# Page\n\n${word}\n` }])
    lay(scene, 'repo/page.md', `${word}\n`)
    commitAll(scene, 'repo')
    rmSync(join(root, 'repo/page.md'))
    symlinkSync('kept/page.md', join(root, 'soft.md'))
    symlinkSync('kept', join(root, 'folder-link'))
    lay(scene, 'own.md', 'My own words.')
    const own = await writeAfter(scene, 'own', [shell('cat own.md')])
    const named = await writeAfter(scene, 'named', [shell(`cat ${path}`)])
    const isRead = scene.shown('named').includes(word)
    const seen: Record<string, string> = {}
    for (const [way, command] of Object.entries(ways)) {
      const decision = await writeAfter(scene, `way-${way}`, [shell(`${command}; true`)])
      const tells = scene.shown(`way-${way}`).includes(word)
      if (tells) seen[way] = decision
    }
    linkSync(join(root, path), join(root, 'second-name.md'))
    const second = await writeAfter(scene, 'second', [shell('cat second-name.md')])
    if (scene.shown('second').includes(word)) seen['second name'] = second
    return {
      open: Object.values(seen).includes('allow'),
      control: own === 'allow' && named === 'ask' && isRead,
      saw: `after the own file: ${own}; after the named one: ${named}; read in other ways: ${JSON.stringify(seen)}`,
    }
  },
}
