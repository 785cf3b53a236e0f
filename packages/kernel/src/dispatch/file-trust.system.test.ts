import type { Label } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { markPaths } from './file-labels.ts'
import { distrustPath, fileMarks, trustPath } from './file-trust.ts'

let bench: DispatchBench
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  bench.now = new Date('2026-01-01T00:00:00.000Z')
  await bench.within(async ({ db }) => {
    await db.deleteFrom('file_labels').execute()
    await db.deleteFrom('own_paths').execute()
  })
})

const actor = { kind: 'operator', id: 'desk' } as const
const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const mark = (...paths: string[]) => bench.within((unit) => markPaths(unit, paths, stranger))
const trust = (path: string) => bench.within((unit) => trustPath(unit, path, actor))
const listed = (path?: string) => bench.store.read(bench.operator, (db) => fileMarks(db, path))
const paths = async (path?: string) => (await listed(path)).marks.map((each) => each.path)
const later = () => {
  bench.now = new Date(bench.now.getTime() + 1_000)
  return bench.now.toISOString()
}

describe('the list of marks', () => {
  test('shows the newest first, and by name where they came together', async () => {
    await mark('b', 'a')
    const at = later()
    await mark('c')
    const { marks, more, own } = await listed()
    expect(marks.map(({ path }) => path)).toEqual(['c', 'a', 'b'])
    expect(marks[0]).toEqual({ path: 'c', label: stranger, markedAt: at })
    expect({ more, own }).toEqual({ more: false, own: [] })
  })

  test('shows those of a path and of all in it, and what is the operator’s there', async () => {
    await mark('in', 'in/a', 'inner', '/in/a')
    await trust('in/mine')
    await trust('out')
    await trust('in/also')
    expect(await paths('in')).toEqual(['in', 'in/a'])
    expect(await paths('.')).toEqual(['in', 'in/a', 'inner'])
    expect(await paths('/')).toEqual(['/in/a'])
    expect((await listed('in')).own).toEqual([
      { path: 'in/also', saidAt: bench.now.toISOString() },
      { path: 'in/mine', saidAt: bench.now.toISOString() },
    ])
    expect((await listed()).own.map(({ path }) => path)).toEqual(['in/also', 'in/mine', 'out'])
  })

  test('ends after 500 and says that there are more', async () => {
    const fill = (count: number) =>
      bench.within(({ db }) =>
        sql`insert into file_labels (operator_id, path, label, marked_at)
          select ${bench.operator}, 'p' || n, '{}'::json, now()
          from generate_series(1, ${count}::int) as n`.execute(db),
      )
    await fill(500)
    expect(await listed()).toMatchObject({ more: false })
    await mark('last')
    const { marks, more } = await listed()
    expect([marks.length, more]).toEqual([500, true])
  })
})

describe('the operator', () => {
  test('takes the marks of a path and of all in it away, and of nothing beside it', async () => {
    await mark('in', 'in/a', 'inner', '/home/a', '/home/b')
    expect(await trust('in')).toBe(2)
    expect(await trust('/home/a')).toBe(1)
    expect(await paths()).toEqual(['/home/b', 'inner'])
    expect(await trust('/')).toBe(1)
    expect(await trust('.')).toBe(1)
    expect(bench.entries.map(({ type, data }) => [type, data['path'], data['removed']])).toEqual([
      ['file.trusted', 'in', 2],
      ['file.trusted', '/home/a', 1],
      ['file.trusted', '/', 1],
      ['file.trusted', '.', 1],
    ])
    expect(bench.entries[0]?.actor).toEqual(actor)
  })

  test('can say so again, and the later word counts', async () => {
    await trust('a')
    const at = later()
    await trust('a')
    expect((await listed()).own).toEqual([{ path: 'a', saidAt: at }])
  })

  test('marks a path as a stranger’s and private, and takes their own word back', async () => {
    await trust('a')
    await bench.within((unit) => distrustPath(unit, 'a', actor))
    expect(await listed()).toMatchObject({
      marks: [
        {
          path: 'a',
          label: {
            integrity: 'untrusted',
            confidentiality: 'private',
            sources: ['marked by the operator'],
          },
        },
      ],
      own: [],
    })
    expect(bench.entries.at(-1)).toEqual({ type: 'file.distrusted', actor, data: { path: 'a' } })
  })

  test('fills no entry with a long path', async () => {
    const long = 'x'.repeat(900)
    await trust(long)
    await bench.within((unit) => distrustPath(unit, long, actor))
    expect(bench.entries.map(({ data }) => data['path'])).toEqual([long.slice(0, 500), long.slice(0, 500)])
  })
})
