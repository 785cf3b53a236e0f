import type { WorkspaceEntry } from '@countersign/contract'
import { expect, test } from 'vitest'
import { contentsOf, mostDeletedFiles } from './folder-contents.ts'

const at = '2026-11-16T10:00:00.000Z'
const entry = (path: string, kind: WorkspaceEntry['kind']): WorkspaceEntry => ({
  name: path.split('/').at(-1) ?? '',
  path,
  kind,
  size: 1,
  modifiedAt: at,
  label: null,
})

const listing = (tree: Readonly<Record<string, readonly WorkspaceEntry[]>>) => (path: string) =>
  Promise.resolve({ path, entries: [...(tree[path] ?? [])], more: false })

test('every file of a folder is found, however deep, and the folders from the deepest up', async () => {
  const tree = {
    a: [entry('a/b', 'folder'), entry('a/x.txt', 'file')],
    'a/b': [entry('a/b/c', 'folder')],
    'a/b/c': [entry('a/b/c/y.txt', 'file')],
  }
  expect(await contentsOf(listing(tree), 'a')).toEqual({
    files: ['a/x.txt', 'a/b/c/y.txt'],
    folders: ['a/b/c', 'a/b', 'a'],
    lasting: 0,
  })
})

test('links and too many files are left alone', async () => {
  expect(await contentsOf(listing({ a: [entry('a/l', 'link')] }), 'a')).toBeNull()
  const many = Array.from({ length: mostDeletedFiles + 1 }, (_, place) => entry(`a/${place}`, 'file'))
  expect(await contentsOf(listing({ a: many }), 'a')).toBeNull()
})

test('files that no undo could hold are counted', async () => {
  const tree = { a: [{ ...entry('a/film.mp4', 'file'), size: 2_000_000 }, entry('a/x.txt', 'file')] }
  expect(await contentsOf(listing(tree), 'a')).toMatchObject({ lasting: 1 })
})
