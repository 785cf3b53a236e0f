import { describe, expect, it } from 'vitest'
import { headlineOf, heldEffects, mostUndoneBytes, wordsOf } from './held-files.ts'
import type { HeldFile, HeldSet } from './held-set.ts'

const file = (path: string, more: Partial<HeldFile> = {}): HeldFile => ({
  path,
  change: 'made',
  kind: 'file',
  size: 3,
  runs: false,
  mode: null,
  target: null,
  leadsOut: false,
  besideHead: false,
  text: null,
  ...more,
})
const set = (files: HeldFile[], more: Partial<HeldSet> = {}): HeldSet => ({
  changes: '0'.repeat(32),
  digest: '0'.repeat(64),
  files,
  more: 0,
  bytes: 10,
  ...more,
})
const link = (path: string, target: string) => heldEffects(set([file(path, { kind: 'link', target })]))[0]

describe('the effects of what a program changed', () => {
  it.each<[string, HeldFile, object]>([
    ['a new file', file('out/a.csv'), { verb: 'write', scope: 'inside', reversible: true }],
    ['a changed file', file('a.ts', { change: 'changed' }), { verb: 'write', scope: 'inside' }],
    ['a deletion', file('a.ts', { change: 'removed' }), { verb: 'delete', scope: 'inside' }],
    ['a program', file('tool', { runs: true }), { verb: 'write', scope: 'host-run' }],
    ['a hook', file('.git/hooks/pre-commit'), { verb: 'write', scope: 'boundary' }],
    ['a setting', file('package.json', { change: 'changed' }), { scope: 'host-run' }],
    ['a bare repository', file('x/config', { besideHead: true }), { scope: 'boundary' }],
    [
      'a file that is opened to others',
      file('a.key', { change: 'changed', mode: { before: 0o600, after: 0o644 } }),
      { verb: 'write', scope: 'opened', object: 'a.key (mode 600 becomes 644, opens it to other users)' },
    ],
    [
      'a file that is closed to others',
      file('a.key', { change: 'changed', mode: { before: 0o644, after: 0o600 } }),
      { verb: 'write', scope: 'inside', object: 'a.key' },
    ],
    [
      'a link through another link',
      file('a', { kind: 'link', target: 'mine/x', leadsOut: true }),
      { verb: 'write', scope: 'boundary' },
    ],
    ['a folder of hooks', file('.git/hooks', { kind: 'folder', change: 'removed' }), { scope: 'boundary' }],
  ])('%s', (_, one, expected) => {
    expect(heldEffects(set([one]))).toMatchObject([expected])
  })

  it.each([
    ['/etc/passwd', 'boundary'],
    ['../../out', 'boundary'],
    ['../..', 'boundary'],
    ['there/../../..', 'boundary'],
    ['../there', 'inside'],
    ['there', 'inside'],
    ['..', 'inside'],
  ])('a link to %s is %s', (target, scope) => {
    expect(link('folder/link', target)?.scope).toBe(scope)
  })

  it('of a link are those of a folder, which it may bring along', () => {
    expect(link('mise', 'stuff')?.scope).toBe('boundary')
    expect(link('.config', 'stuff')?.scope).toBe('boundary')
  })

  it('hold a deletion where something becomes of another kind', () => {
    const replaced = heldEffects(set([file('plan.md', { change: 'replaced', kind: 'folder' })]))
    expect(replaced.map(({ verb }) => verb).toSorted()).toEqual(['delete', 'write'])
  })

  it('are no longer undoable where it is more than can be looked at or kept', () => {
    expect(heldEffects(set([file('a')], { more: 1 }))).toMatchObject([
      { reversible: false },
      { reversible: false },
    ])
    expect(heldEffects(set([file('a')], { bytes: mostUndoneBytes + 1 }))).toMatchObject([
      { reversible: false },
    ])
    expect(heldEffects(set([file('a')], { bytes: mostUndoneBytes }))).toMatchObject([{ reversible: true }])
  })

  it('tell the strictest of many, and a deletion among them', () => {
    const many = Array.from({ length: 60 }, (_, index) => file(`${index}.md`))
    const programs = Array.from({ length: 30 }, (_, index) => file(`${index}.bin`, { runs: true }))
    const effects = heldEffects(
      set([...many, file('gone', { change: 'removed' }), ...programs, file('.git/config')]),
    )
    expect(effects[0]).toMatchObject({ scope: 'boundary' })
    expect(effects.some(({ verb }) => verb === 'delete')).toBe(true)
    expect(effects.at(-1)?.object).toBe('72 more files and folders')
  })
})

describe('the words of what a program changed', () => {
  it('name every file, with the text of it', () => {
    const held = set(
      [
        file('old', { change: 'removed' }),
        file('tool', { runs: true }),
        file('up', { kind: 'link', target: '..' }),
        file('a.md', { text: 'one\ntwo\n' }),
      ],
      { more: 2 },
    )
    expect(wordsOf(held)).toBe(
      'removed old\nmade tool (3 B, can be run as a program)\nmade up (link, leads to ..)\nmade a.md (3 B)\n    one\n    two\nand 2 more, which are not shown',
    )
    expect(headlineOf(held)).toBe('Keep what a program did: made 3, removed 1, 2 more')
    expect(headlineOf(set([file('a.md')]))).toBe('Keep what a program did: made a.md')
  })
})

describe('the words of what a program changed', () => {
  it('tell the old and the new mode', () => {
    const closed = file('a.key', { change: 'changed', mode: { before: 0o644, after: 0o40 } })
    expect(wordsOf(set([closed]))).toBe('changed a.key (3 B, mode 644 becomes 040)')
  })

  it('are one line for each name, whatever is in the name', () => {
    const forged = 'notes.md (12 B)\n    Milk, bread\nmade old/list.md'
    const words = wordsOf(set([file(forged, { kind: 'link', target: 'a\nremoved b' })]))
    expect(words.split('\n')).toHaveLength(1)
  })
})
