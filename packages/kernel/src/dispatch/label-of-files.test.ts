import type { Label } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { labelOfFiles, pathAndFolders } from './label-of-files.ts'

const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const marked = (...paths: string[]) => paths.map((path) => ({ path, label: stranger }))
const isTrusted = (path: string, marks: string[] = [], own: string[] = []) =>
  labelOfFiles({ paths: [path], found: [] }, { marks: marked(...marks), own }) === null

describe('a path of the workspace', () => {
  test('is the operator’s where nothing is known against it', () => {
    expect(isTrusted('notes/a.md')).toBe(true)
    expect(isTrusted('.')).toBe(true)
  })

  test('is worth what its mark says, and the mark of any folder around it', () => {
    expect(isTrusted('a/b', ['a/b'])).toBe(false)
    expect(isTrusted('a/b/c', ['a'])).toBe(false)
    expect(isTrusted('a/b', ['.'])).toBe(false)
    expect(isTrusted('ab', ['a'])).toBe(true)
    expect(isTrusted('a/b', ['x', 'a', 'y'])).toBe(false)
  })

  test('is worth what all its marks say together', () => {
    const secret: Label = { ...stranger, confidentiality: 'secret', sources: ['safe'] }
    const marks = [
      { path: 'a', label: stranger },
      { path: 'a/b', label: secret },
    ]
    expect(labelOfFiles({ paths: ['a'], found: [] }, { marks, own: [] })).toEqual({
      integrity: 'untrusted',
      confidentiality: 'secret',
      sources: ['web', 'safe'],
    })
    expect(labelOfFiles({ paths: ['c', 'a/b'], found: [] }, { marks, own: [] })).toEqual(secret)
  })

  test('is worth what lies in it, where it is a folder', () => {
    expect(isTrusted('a', ['a/b/c'])).toBe(false)
    expect(isTrusted('.', ['a/b/c'])).toBe(false)
    expect(isTrusted('b', ['a/b/c'])).toBe(true)
    expect(isTrusted('a', ['ab'])).toBe(true)
  })

  test('is judged by the deepest word about it', () => {
    expect(isTrusted('a/mine/x', ['a'], ['a/mine'])).toBe(true)
    expect(isTrusted('a/other/x', ['a'], ['a/mine'])).toBe(false)
    expect(isTrusted('a/mine/x', ['a/mine/x'], ['a/mine'])).toBe(false)
    expect(isTrusted('a', ['a/b'], ['a'])).toBe(false)
  })
})

describe('folders that strangers fill', () => {
  test('are untrusted without any mark', () => {
    for (const path of [
      'node_modules/x/README.md',
      'app/node_modules',
      'python_packages/y.py',
      'vendor/z',
      'ios/Pods/z',
      'Node_Modules/z',
      'project/.git/description',
      'attachments/letter.txt',
    ])
      expect(isTrusted(path)).toBe(false)
    expect(isTrusted('my/attachments/letter.txt')).toBe(true)
    expect(isTrusted('node_modules.md')).toBe(true)
  })

  test('are the source of what they bring in, beside what is marked in them', () => {
    const secret: Label = { ...stranger, confidentiality: 'secret' }
    const known = { marks: [{ path: 'vendor/a', label: secret }], own: [] }
    expect(labelOfFiles({ paths: ['vendor/b'], found: [] }, known)).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['vendor/b'],
    })
    expect(labelOfFiles({ paths: ['vendor/a'], found: [] }, known)).toEqual({
      integrity: 'untrusted',
      confidentiality: 'secret',
      sources: ['web', 'vendor/a'],
    })
  })

  test('are the operator’s only when named; a history also by a folder around it', () => {
    expect(isTrusted('node_modules/x', [], ['.'])).toBe(false)
    expect(isTrusted('node_modules/x', [], ['node_modules'])).toBe(true)
    expect(isTrusted('node_modules/mine/x', [], ['node_modules/mine'])).toBe(true)
    expect(isTrusted('node_modules/x', [], ['node_modules/mine'])).toBe(false)
    expect(isTrusted('project/.git/HEAD', [], ['project'])).toBe(true)
    expect(isTrusted('project/.git/HEAD', ['project/.git/HEAD'], ['project'])).toBe(false)
  })

  test('count where a call tells of them, and where nobody knows whether it does', () => {
    const none = { marks: [], own: [] }
    expect(labelOfFiles({ paths: ['.'], found: ['node_modules'] }, none)?.integrity).toBe('untrusted')
    expect(labelOfFiles({ paths: ['.'], found: null }, none)).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['the workspace'],
    })
    expect(labelOfFiles({ paths: ['.'], found: null }, { marks: [], own: ['.'] })?.integrity).toBe(
      'untrusted',
    )
    const own = { marks: [], own: ['app'] }
    expect(labelOfFiles({ paths: ['.'], found: ['app/.git'] }, own)).toBe(null)
    expect(labelOfFiles({ paths: ['.'], found: ['app/vendor'] }, own)?.integrity).toBe('untrusted')
  })

  test('lose the operator’s word where a history was marked since', () => {
    const known = { marks: marked('app/.git'), own: ['app'] }
    expect(labelOfFiles({ paths: [], found: ['app/.git'] }, known)?.integrity).toBe('untrusted')
  })
})

describe('a path outside the workspace', () => {
  test('is a stranger’s and private unless the operator named it or a folder around it', () => {
    const read = (own: string[]) =>
      labelOfFiles({ paths: ['/home/me/Downloads/a.txt'], found: [] }, { marks: [], own })
    expect(read([])).toMatchObject({ integrity: 'untrusted', confidentiality: 'private' })
    expect(read(['.'])).toMatchObject({ integrity: 'untrusted' })
    expect(read(['/home/me/Documents'])).toMatchObject({ integrity: 'untrusted' })
    expect(read(['/home/me'])).toBe(null)
    expect(read(['/'])).toBe(null)
    expect(read(['/home/m', ''])).toMatchObject({ sources: ['/home/me/Downloads/a.txt'] })
  })

  test('keeps its marks, also below a folder of the operator’s', () => {
    const secret: Label = { ...stranger, confidentiality: 'secret' }
    const marks = [{ path: '/home/me/a', label: secret }]
    const read = (path: string, own: string[]) => labelOfFiles({ paths: [path], found: [] }, { marks, own })
    expect(read('/home/me/a', [])).toMatchObject({
      confidentiality: 'secret',
      sources: ['web', '/home/me/a'],
    })
    expect(read('/home/me/a', ['/home/me'])).toMatchObject({ confidentiality: 'secret' })
    expect(read('/home/me', ['/home/me'])).toEqual(secret)
    expect(read('/home/me/b', ['/home/me'])).toBe(null)
    expect(read('/home/m', ['/home'])).toBe(null)
    expect(read('/', ['/'])).toEqual(secret)
  })

  test('says nothing of the workspace, and the workspace nothing of it', () => {
    expect(isTrusted('.', ['/home/me/a'])).toBe(true)
    expect(isTrusted('a', ['/a'])).toBe(true)
    const marks = marked('a')
    expect(labelOfFiles({ paths: ['/'], found: [] }, { marks, own: ['/'] })).toBe(null)
  })
})

test('the places around a path end at its root', () => {
  expect(pathAndFolders('a/b/c')).toEqual(['a/b/c', 'a/b', 'a', '.'])
  expect(pathAndFolders('.')).toEqual(['.'])
  expect(pathAndFolders('/a/b')).toEqual(['/a/b', '/a', '/'])
  expect(pathAndFolders('/')).toEqual(['/'])
  expect(pathAndFolders('a/')).toEqual(['a/', 'a', '.'])
  expect(pathAndFolders('')).toEqual([''])
})
