import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openView, treeOf, type ViewedWorkspace } from './testing/view.ts'

let folder: string
let view: ViewedWorkspace
const lay = (path: string, text = `words of ${path}\n`) => {
  mkdirSync(dirname(join(view.workspace, path)), { recursive: true })
  writeFileSync(join(view.workspace, path), text)
}
const stdout = ({ result }: Awaited<ReturnType<ViewedWorkspace['runWithout']>>) =>
  'stdout' in result ? result.stdout : ''
const paths = ({ hidden }: Awaited<ReturnType<ViewedWorkspace['runWithout']>>) =>
  hidden.map(({ path }) => path)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hide-'))
  view = await openView(folder)
  lay('notes/page.md')
  lay('notes/own.md')
  lay('web/one.md')
  lay('web/deep/two.md')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('what is hidden from a command', () => {
  test.each([
    ['its name', 'cat notes/page.md; cat web/one.md'],
    ['a pattern', 'cat notes/* web/* web/*/*'],
    ['a walk', 'find . -type f -exec cat {} +; grep -r words .'],
    ['a variable', 'a=page; cat notes/$a.md'],
    [
      'the root of the process',
      'cat /proc/self/root/workspace/notes/page.md /proc/1/root/workspace/web/one.md',
    ],
    ['the working folder of the process', 'cat /proc/self/cwd/notes/page.md'],
    ['a link', 'ln -s notes/page.md soft && cat soft; ln -s ../web notes/all && cat notes/all/one.md'],
    ['a second name', 'ln notes/page.md hard && cat hard; cp -l web/one.md copied && cat copied'],
    [
      'the layers below',
      'cat $(sed -n "s/.*lowerdir=\\([^,]*\\).*/\\1/p" /proc/self/mountinfo | tr : " ")/notes/page.md',
    ],
    ['a folder that is moved', 'mv notes moved; cat moved/page.md'],
    ['a map of memory', `python3 -c "import mmap; print(mmap.mmap(open('notes/page.md').fileno(), 0))"`],
  ])('is not reached by %s', async (_way, command) => {
    const ran = await view.runWithout(['notes/page.md', 'web'], command)
    expect(paths(ran)).toEqual(['notes/page.md', 'web'])
    expect(stdout(ran)).not.toMatch(/words of (notes\/page|web)/)
  })

  test('stays hidden while somebody else writes there', async () => {
    const writer = setInterval(() => lay('notes/page.md', 'words of notes/page again'), 1)
    try {
      const ran = await view.runWithout(
        ['notes/page.md'],
        'for i in $(seq 200); do cat notes/page.md; done 2>&1',
      )
      expect(stdout(ran)).not.toContain('words of notes/page')
    } finally {
      clearInterval(writer)
    }
  })

  test('stays hidden if it comes to be while the command runs', async () => {
    const writer = setInterval(() => lay('new/page.md', 'words of new'), 5)
    try {
      const ran = await view.runWithout(
        ['new/page.md'],
        'sleep 0.3; find . -name page.md -path "*new*"; cat new/page.md',
      )
      expect(paths(ran)).toEqual(['new/page.md'])
      expect(ran.hidden[0]?.there).toBe(false)
      expect(stdout(ran)).toBe('')
    } finally {
      clearInterval(writer)
    }
  })

  test('leaves everything else as it is, and is no change', async () => {
    const before = treeOf(view.workspace)
    const ran = await view.runWithout(['notes/page.md', 'web'], 'cat notes/own.md; ls -A . notes')
    expect(stdout(ran)).toBe('words of notes/own.md\n.:\nnotes\n\nnotes:\nown.md\n')
    expect(ran.taken).toMatchObject({ count: 0, conflicts: [], tooMuch: null })
    expect(treeOf(view.workspace)).toEqual(before)
  })

  test('does not keep a command from changing what lies beside it', async () => {
    const ran = await view.runWithout(
      ['notes/page.md', 'web'],
      'echo more >> notes/own.md; echo new > notes/new.md',
    )
    expect(ran.taken).toMatchObject({ count: 2, tooMuch: null })
    expect(readFileSync(join(view.workspace, 'notes/page.md'), 'utf8')).toBe('words of notes/page.md\n')
    expect(existsSync(join(view.workspace, 'web/deep/two.md'))).toBe(true)
  })
})

describe('a command that changes what it cannot see', () => {
  test.each([
    'echo mine > notes/page.md',
    'rm -rf notes',
    'rm -rf notes; mkdir notes',
    'mv notes moved',
    'mkdir web; echo mine > web/three.md',
    'mkdir -p web/deep; echo mine > web/deep/two.md',
    'ln -s /etc/passwd web',
  ])('changes nothing: %s', async (command) => {
    const before = treeOf(view.workspace)
    const { taken } = await view.runWithout(['notes/page.md', 'web'], command)
    expect(taken.tooMuch).toContain('hidden from it')
    expect(treeOf(view.workspace)).toEqual(before)
  })

  test('may make what is not there any more', async () => {
    const { taken } = await view.runWithout(['gone/page.md'], 'mkdir gone; echo mine > gone/page.md')
    expect(taken.tooMuch).toBe(null)
    expect(readFileSync(join(view.workspace, 'gone/page.md'), 'utf8')).toBe('mine\n')
  })
})

describe('a path is not called hidden', () => {
  test('where the file has another name', async () => {
    linkSync(join(view.workspace, 'notes/page.md'), join(view.workspace, 'other.md'))
    linkSync(join(view.workspace, 'web/deep/two.md'), join(view.workspace, 'two.md'))
    expect(paths(await view.runWithout(['notes/page.md', 'web'], 'true'))).toEqual([])
  })

  test('where its name is no text, or a file stands in the place of a folder', async () => {
    const fresh = await view.runWithout(['notes/x\ufffd.md', 'notes/own.md/old.md'], 'cat notes/own.md')
    expect(paths(fresh)).toEqual([])
    expect(stdout(fresh)).toBe('words of notes/own.md\n')
  })

  test('where a link is on the way', async () => {
    symlinkSync('notes', join(view.workspace, 'alias'))
    symlinkSync('page.md', join(view.workspace, 'notes/soft.md'))
    expect(paths(await view.runWithout(['alias/page.md', 'notes/soft.md'], 'true'))).toEqual([])
  })
})
