import { type Label, mostHidden, type ProgramView, type Resource } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { madeFile, madeProgram } from '../testing/made-resources.ts'
import { marksSeen, unseenBy } from './hidden-files.ts'

const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const secret: Label = { integrity: 'operator', confidentiality: 'secret', sources: [] }
const marked = (...paths: string[]) => paths.map((path) => ({ path, label: stranger }))
const program = (view: Partial<ProgramView> = {}, cwd = '.'): Resource[] => [
  { ...madeProgram(), cwd, view: { named: [], needs: [], below: false, ...view } } as Resource,
]
const hidden = (resources: Resource[], paths: string[], own: string[] = []) =>
  unseenBy(resources, { marks: marked(...paths), own }).hidden

describe('from a program over a view', () => {
  test('everything marked is hidden that it does not name', () => {
    expect(hidden(program(), ['b/page.md', 'a.md'])).toEqual(['a.md', 'b/page.md'])
    expect(hidden(program({ named: ['b'] }), ['b/page.md', 'a.md'])).toEqual(['a.md'])
    expect(hidden(program({}, 'b'), ['b', 'b/page.md', 'a.md'])).toEqual(['a.md'])
  })

  test('a folder is hidden once for all that is marked in it', () => {
    expect(hidden(program(), ['b', 'b/page.md', 'bc'])).toEqual(['b', 'bc'])
  })

  test('nothing is hidden that would hide what is not a stranger’s', () => {
    expect(hidden(program(), ['.', 'a.md'])).toEqual([])
    expect(hidden(program(), ['b', 'a.md'], ['b/mine'])).toEqual(['a.md'])
    expect(unseenBy(program(), { marks: [{ path: 'a', label: secret }], own: [] }).hidden).toEqual([])
    expect(hidden(program(), ['/home/a.md'])).toEqual([])
  })

  test('git sees all: it would take what is hidden for deleted', () => {
    expect(hidden(program({ needs: ['history'] }), ['a.md'])).toEqual([])
  })

  test('more than can be hidden are not hidden at all', () => {
    const many = Array.from({ length: mostHidden + 1 }, (_, index) => `notes/${index}.md`)
    expect(hidden(program(), many)).toEqual([])
    expect(hidden(program(), many.slice(1))).toHaveLength(mostHidden)
  })

  test('what is the operator’s is told, unless it holds what was marked since', () => {
    const { own } = unseenBy(program(), { marks: marked('site/page.md'), own: ['shop', 'site'] })
    expect(own).toEqual(['shop'])
  })
})

test('from a search everything marked is hidden, what lies below its folder first', () => {
  const search = (path: string): Resource[] => [
    { ...madeFile(path, 'read'), content: null, identity: { device: '1', inode: '2' } } as Resource,
  ]
  expect(hidden(search('notes'), ['notes/page.md', 'other.md'])).toEqual(['notes/page.md', 'other.md'])
  const far = Array.from({ length: mostHidden }, (_, index) => `far/${index}.md`)
  const most = hidden(search('notes'), [...far, 'notes/page.md'])
  expect(most).toHaveLength(mostHidden)
  expect(most).toContain('notes/page.md')
  expect(hidden(search('notes/web'), ['notes'])).toEqual([])
})

test('from a program without a view and from a file that is read, nothing is hidden', () => {
  expect(hidden([madeProgram()], ['a.md'])).toEqual([])
  expect(hidden([madeFile('a.md', 'read')], ['a.md', 'b.md'])).toEqual([])
})

describe('the marks that count', () => {
  const marks = marked('a.md', 'b', 'b/page.md', 'bc')
  const seen = (inPermit: string[], reported: string[] | undefined) =>
    marksSeen(marks, { hidden: inPermit }, reported && { found: [], changed: [], hidden: reported }).map(
      ({ path }) => path,
    )

  test('are all but those of what the permit hides and the executor hid', () => {
    expect(seen(['a.md', 'b'], ['a.md', 'b'])).toEqual(['bc'])
    expect(seen(['a.md', 'b'], ['b'])).toEqual(['a.md', 'bc'])
    expect(seen(['b'], ['a.md', 'b'])).toEqual(['a.md', 'bc'])
  })

  test('are all where nobody says what was hidden', () => {
    expect(seen(['a.md', 'b'], undefined)).toHaveLength(4)
    expect(seen(['a.md', 'b'], [])).toHaveLength(4)
  })
})
