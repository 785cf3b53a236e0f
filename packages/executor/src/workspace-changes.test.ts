import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { laterTick } from './testing/later-tick.ts'
import { gathered, watchWorkspace } from './workspace-changes.ts'

let root: string
const at = (path: string) => join(root, path)
const write = (path: string, text = 'x') => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}
/** The clock of a file system ticks every few milliseconds; what lies in the same tick counts as changed. */

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changes-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function changedBy(act: () => void, limit?: number) {
  await laterTick()
  const watch = await watchWorkspace(root, limit)
  act()
  return watch.end()
}

describe('what a program changed', () => {
  test('is what it made, wrote, linked, moved or pointed at, and nothing else', async () => {
    for (const path of ['kept', 'written', 'linked', 'moved', 'deep/er/kept']) write(path)
    const { changed } = await changedBy(() => {
      write('made')
      write('deep/made')
      write('written', 'y')
      linkSync(at('linked'), at('link'))
      renameSync(at('moved'), at('deep/moved'))
      symlinkSync('kept', at('pointer'))
    })
    expect(changed?.toSorted()).toEqual([
      'deep/made',
      'deep/moved',
      'link',
      'linked',
      'made',
      'pointer',
      'written',
    ])
  })

  test('cannot be hidden by setting the times of a file back', async () => {
    write('a')
    const { changed } = await changedBy(() =>
      execFileSync('sh', ['-c', 'cp -p a b; echo stranger > a; touch -d 2001-01-01 a b'], { cwd: root }),
    )
    expect(changed?.toSorted()).toEqual(['a', 'b'])
  })

  test('is a folder as a whole where it is new or was moved, also when something was put into it', async () => {
    write('strangers/note')
    write('other/note')
    const { changed } = await changedBy(() => {
      renameSync(at('strangers'), at('clean'))
      rmSync(at('other'), { recursive: true })
      write('clean/touched')
      write('new/one')
      write('new/two')
    })
    expect(changed?.toSorted()).toEqual(['clean', 'new'])
  })

  test('is told with the folders of strangers in what is new or was moved', async () => {
    write('a/node_modules/m/index.js')
    const { foreign } = await changedBy(() => {
      renameSync(at('a'), at('b'))
      write('new/deep/node_modules/m/index.js')
    })
    expect(foreign).toEqual(expect.arrayContaining(['b/node_modules', 'new/deep/node_modules']))
  })

  test('is not known where a folder has a name that is no text', async () => {
    mkdirSync(Buffer.concat([Buffer.from(at('d')), Buffer.from([0xff])]))
    expect((await changedBy(() => write('made'))).foreign).toBeFalsy()
  })

  test('is a folder that another took the place of', async () => {
    write('a/note')
    write('b/note')
    const { changed } = await changedBy(() => {
      rmSync(at('a'), { recursive: true })
      renameSync(at('b'), at('a'))
    })
    expect(changed).toEqual(['a'])
  })

  test('is the folder around a file whose name is no text', async () => {
    write('odd/kept')
    const { changed } = await changedBy(() =>
      execFileSync('sh', ['-c', "echo x > odd/$(printf 'a\\377b')"], { cwd: root }),
    )
    expect(changed).toEqual(['odd'])
  })

  test('is not known where there is too much to look at', async () => {
    for (let index = 0; index < 20; index += 1) write(`f${index}`)
    expect(await changedBy(() => write('made'), 10)).toEqual({ changed: null, foreign: null })
  })

  test('is told with the folders of strangers, which count as changed without a look', async () => {
    write('app/node_modules/left/index.js')
    write('app/.git/HEAD')
    write('app/.git/objects/aa/bb')
    const first = await changedBy(() => undefined)
    expect(first.changed).toEqual(['app/node_modules'])
    expect(first.foreign?.toSorted()).toEqual(['app/.git', 'app/node_modules'])
    const second = await changedBy(() => write('app/.git/objects/aa/cc'))
    expect(second.changed?.toSorted()).toEqual(['app/.git/objects/aa/cc', 'app/node_modules'])
  })
})

describe('too many paths', () => {
  test('become the folders that hold them, the deepest first, and lose nothing', () => {
    expect(gathered(['a/b/1', 'a/b/2', 'a/3', 'c'], 3).toSorted()).toEqual(['a/3', 'a/b', 'c'])
    expect(gathered(['a/b/1', 'a/b/2', 'a/3', 'c'], 2).toSorted()).toEqual(['a', 'c'])
    expect(gathered(['a/1', 'b/1', 'c'], 2)).toEqual(['.'])
    const many = Array.from({ length: 5_000 }, (_, index) => `x/${index % 7}/${index}`)
    const kept = gathered(many, 1_000)
    expect(kept.length).toBeLessThanOrEqual(1_000)
    expect(many.every((path) => kept.some((folder) => path.startsWith(`${folder}/`)))).toBe(true)
  })
})
