import { expect, test } from 'vitest'
import { isNamed, isWithin, seesFolder, type ViewedProgram } from './program-view.ts'

const program = (change: Partial<ViewedProgram> = {}): ViewedProgram => ({
  named: [],
  needs: [],
  below: false,
  cwd: '.',
  ...change,
})

test('a path is named by itself, by what is in it and by a folder around it, and by no neighbour', () => {
  for (const said of ['notes/web/page.md', 'notes/web', 'notes'])
    expect(isNamed('notes/web/page.md', program({ named: [said] }))).toBe(true)
  expect(isNamed('notes/web', program({ named: ['notes/web/page.md'] }))).toBe(true)
  for (const said of ['notes/web/page', 'notes/web/page.md.bak', 'note', 'notes/we', 'web', 'page.md'])
    expect(isNamed('notes/web/page.md', program({ named: [said] }))).toBe(false)
})

test('the folder that a program works in names what it lies in, and not what lies in it', () => {
  expect(isNamed('attachments', program({ cwd: 'attachments/june' }))).toBe(true)
  expect(isNamed('notes/page.md', program({ cwd: 'notes' }))).toBe(false)
  expect(isNamed('notes/page.md', program({ cwd: '.' }))).toBe(false)
})

test('a folder that a program needs is seen around the folder that it works in, and below if it works there', () => {
  const npm = program({ cwd: 'shop/api', needs: ['javascript'] })
  const seen = (path: string) => seesFolder(path, npm, [])
  expect(['shop/api/node_modules', 'shop/node_modules', 'node_modules'].map(seen)).toEqual([true, true, true])
  expect(seen('shop/api/plugins/one/node_modules')).toBe(false)
  expect(seesFolder('shop/api/plugins/one/node_modules', { ...npm, below: true }, [])).toBe(true)
  expect(seen('site/node_modules')).toBe(false)
  expect(['shop/api/.venv', 'shop/.git', 'attachments'].map(seen)).toEqual([false, false, false])
})

test('what strangers hand in is needed by nobody', () => {
  const all = program({ needs: ['javascript', 'python', 'other'] })
  expect(seesFolder('attachments', all, [])).toBe(false)
  expect(seesFolder('attachments', { ...all, named: ['attachments/june.pdf'] }, [])).toBe(true)
})

test('git sees all: it would commit what is hidden as deleted', () => {
  const git = program({ needs: ['history'] })
  for (const folder of ['attachments', 'shop/vendor', 'shop/node_modules', 'shop/.git'])
    expect(seesFolder(folder, git, [])).toBe(true)
})

test("what is the operator's own is not hidden", () => {
  expect(seesFolder('shop/.git', program(), ['shop'])).toBe(true)
  expect(seesFolder('shop/.git', program(), ['shopping'])).toBe(false)
})

test('a name that only begins alike does not lie within', () => {
  expect(isWithin('notes-old/page.md', 'notes')).toBe(false)
  expect(isWithin('anything', '.')).toBe(true)
})
