import { type Label, operatorLabel, type Permit, type Resource } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { madeFile, madeProgram } from '../testing/made-resources.ts'
import { keepLabels, labelsRead, markAbandoned, markPaths, unseenFor } from './file-labels.ts'
import { trustPath } from './file-trust.ts'

let bench: DispatchBench
let run: HeldRun
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  await bench.within(async ({ db }) => {
    await db.deleteFrom('file_labels').execute()
    await db.deleteFrom('own_paths').execute()
    await db.updateTable('runs').set({ state: 'stopped' }).execute()
  })
  run = await bench.run()
})

const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const permitFor = (resources: Resource[], sandbox = 'workspace-write:x', decidedAt = bench.now) =>
  ({
    subject: { tool: { name: 'write_file' }, resources, sandbox, egress: 'none', provenance: operatorLabel },
    seal: { decidedAt: decidedAt.toISOString() },
  }) as unknown as Permit
const read = (...permits: Permit[]) =>
  bench.within((unit) =>
    labelsRead(
      unit,
      run.id,
      permits.map((permit) => ({ permit, traced: undefined })),
    ),
  )
const reading = (path: string, at = bench.now) => permitFor([madeFile(path, 'read')], 'files:x', at)
const marks = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('file_labels').select(['path', 'label']).orderBy('path').execute(),
  )
const later = (ms: number) => {
  bench.now = new Date(bench.now.getTime() + ms)
  return bench.now
}

describe('a file that is read while a program of another run works', () => {
  const elsewhere = async (change: { state?: 'running' | 'stopped'; permit?: Permit | null } = {}) => {
    const other = await bench.run({ state: change.state ?? 'running' })
    const { permit = permitFor([madeProgram()]) } = change
    await bench.call(other, { state: 'intended', permit })
  }

  test('may hold anything, unless it lies outside the workspace', async () => {
    await elsewhere()
    const [inside, outside, both] = await read(
      reading('a'),
      reading('/home/a'),
      permitFor([madeFile('/home/a', 'read'), madeFile('a', 'read')], 'files:x'),
    )
    expect(inside).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['a program that is running'],
    })
    expect(outside?.sources).toEqual(['/home/a'])
    expect(both?.sources).toEqual(['/home/a', 'a program that is running'])
  })

  test('is worth what is known of it where that program only reads, has not begun, or was left behind', async () => {
    await elsewhere({ permit: permitFor([madeProgram()], 'read-only:x') })
    await elsewhere({ permit: permitFor([madeFile('a', 'write')]) })
    await elsewhere({ state: 'stopped' })
    await elsewhere({ permit: null })
    const other = await bench.run()
    await bench.call(other, { state: 'ended', permit: permitFor([madeProgram()]) })
    await bench.call(run, { state: 'intended', permit: permitFor([madeProgram()]) })
    expect(await read(reading('a'))).toEqual([null])
  })
})

describe('a file that another run writes at the moment', () => {
  const writing = async (change: object, resources: Resource[] = [madeFile('a', 'write')]) => {
    const permit = permitFor(resources, 'files:x')
    Object.assign(permit.subject, change)
    await bench.call(await bench.run(), { state: 'intended', permit })
  }

  test.each([
    ['by an undo', { tool: { name: 'restore_file' } }, [madeFile('a', 'write')]],
    ['after strangers’ words', { provenance: stranger }, [madeFile('a', 'write')]],
    ['from the network', { egress: 'checked:x' }, [madeFile('a', 'write')]],
    ['from another file', {}, [madeFile('b', 'read'), madeFile('a', 'write')]],
    ['by moving another', {}, [madeFile('b', 'delete'), madeFile('a', 'write')]],
  ])('%s counts as marked already', async (_how, change, resources) => {
    await writing(change, resources)
    const [there, folder, other] = await read(reading('a'), reading('.'), reading('c'))
    expect(there?.integrity).toBe('untrusted')
    expect(folder?.integrity).toBe('untrusted')
    expect(other).toBe(null)
  })

  test('with words of its own is worth what is known of it', async () => {
    await writing({})
    expect(await read(reading('a'))).toEqual([null])
  })
})

describe('a program over a view', () => {
  const viewed = { ...madeProgram(), view: { named: ['named.md'], needs: [], below: false } } as Resource
  const unseen = () => bench.store.read(bench.operator, (db) => unseenFor(db, [viewed]))
  const after = async (reported: string[] | undefined) => {
    const permit = permitFor([viewed])
    Object.assign(permit.subject, await unseen())
    const traced = reported && { found: [], changed: [], hidden: reported }
    return { permit, read: () => bench.within((unit) => labelsRead(unit, run.id, [{ permit, traced }])) }
  }

  test('is kept from what is marked and not named, and brings nothing of it', async () => {
    await bench.within((unit) => markPaths(unit, ['a.md', 'b/c.md'], stranger))
    expect(await unseen()).toEqual({ hidden: ['a.md', 'b/c.md'], own: [] })
    const { read: label } = await after(['a.md', 'b/c.md'])
    expect(await label()).toEqual([null])
  })

  test('brings what it names, what could not be hidden, and what nobody says of', async () => {
    await bench.within((unit) => markPaths(unit, ['a.md', 'named.md'], stranger))
    expect(await unseen()).toEqual({ hidden: ['a.md'], own: [] })
    expect(await (await after(['a.md'])).read()).toEqual([stranger])
    await bench.within(({ db }) => db.deleteFrom('file_labels').where('path', '=', 'named.md').execute())
    expect(await (await after([])).read()).toEqual([stranger])
    expect(await (await after(undefined)).read()).toMatchObject([{ integrity: 'untrusted' }])
  })

  test('brings what was marked after it was let run, also where that mark is gone at its end', async () => {
    await bench.within((unit) => markPaths(unit, ['a.md'], stranger))
    const { read: label } = await after(['a.md'])
    later(1_000)
    await bench.within((unit) => markPaths(unit, ['late.md'], stranger))
    expect(await label()).toEqual([stranger])
    await bench.within(({ db, now }) =>
      db.updateTable('file_labels').set({ cleared_at: now }).where('path', '=', 'late.md').execute(),
    )
    expect(await label()).toEqual([stranger])
  })

  test('brings nothing of a mark that is put again on what is hidden from it', async () => {
    await bench.within((unit) => markPaths(unit, ['b'], stranger))
    const { read: label } = await after(['b'])
    await bench.within((unit) => markPaths(unit, ['b/new.md'], stranger))
    expect(await label()).toEqual([null])
  })
})

describe('files of one reading', () => {
  test('count with the marks that were there when each call was decided', async () => {
    const before = bench.now
    await bench.within((unit) => markPaths(unit, ['a'], stranger))
    later(1_000)
    await bench.within((unit) =>
      keepLabels(unit, {
        call: 'call_1' as never,
        subject: { resources: [madeFile('a', 'write')], sandbox: 'files:x' },
        label: operatorLabel,
        outcome: 'ok',
        traced: undefined,
        coversNothing: false,
        undoes: null,
      }),
    )
    const cleared = bench.now
    const [after, early, same] = await read(
      reading('a', later(1_000)),
      reading('a', before),
      reading('a', cleared),
    )
    expect(after).toBe(null)
    expect(early).toEqual(stranger)
    expect(same).toEqual(stranger)
  })

  test('bring in nothing where none is read', async () => {
    await bench.within((unit) => markPaths(unit, ['.'], stranger))
    expect(await read(permitFor([], 'none'), permitFor([madeFile('a', 'write')], 'files:x'))).toEqual([
      null,
      null,
    ])
  })

  test('may all be secret when there are more marks than are looked at', async () => {
    const fill = (count: number) =>
      bench.within(async ({ db }) => {
        await db.deleteFrom('file_labels').execute()
        await sql`insert into file_labels (operator_id, path, label, marked_at)
          select ${bench.operator}, 'many/' || n, ${JSON.stringify(stranger)}::json, now()
          from generate_series(1, ${count}::int) as n`.execute(db)
      })
    await fill(10_000)
    const tooMany = { integrity: 'untrusted', confidentiality: 'secret', sources: ['web', 'the workspace'] }
    expect(await read(reading('.'))).toEqual([tooMany])
    await fill(9_999)
    expect(await read(reading('.'))).toEqual([stranger])
  })
})

describe('what an undo brings back', () => {
  const written = (path: string, change: object) =>
    bench.within((unit) =>
      keepLabels(unit, {
        call: 'call_2' as never,
        subject: { resources: [madeFile(path, 'write')], sandbox: 'files:x' },
        label: operatorLabel,
        outcome: 'ok',
        traced: undefined,
        coversNothing: true,
        undoes: null,
        ...change,
      }),
    )
  const isTrusted = async (path: string) => (await read(reading(path, later(1_000))))[0] === null
  const programAfterMark = async (marked: string) => {
    await bench.within((unit) => markPaths(unit, [marked], stranger))
    return bench.call(run, { state: 'ended', intended_at: later(1_000) })
  }
  const others: [string, (path: string) => Promise<unknown>][] = [
    ['another write covered', (path) => written(path, { coversNothing: false })],
    [
      'the operator took away',
      (path) => bench.within((unit) => trustPath(unit, path, { kind: 'operator', id: 'x' })),
    ],
  ]

  test.each(others)('bears the mark that %s since', async (_how, takeAway) => {
    const program = await programAfterMark('a')
    later(1_000)
    await takeAway('a')
    expect(await isTrusted('a')).toBe(true)
    await written('a', { undoes: program.id })
    expect(await isTrusted('a')).toBe(false)
    expect(await isTrusted('b')).toBe(true)
  })

  test('bears the mark of a folder around it, and brings those in it along', async () => {
    const program = await programAfterMark('in')
    later(1_000)
    await bench.within((unit) => trustPath(unit, 'in', { kind: 'operator', id: 'x' }))
    await written('in/a', { undoes: program.id })
    expect([await isTrusted('in/a'), await isTrusted('in/b')]).toEqual([false, true])
    await written('.', { undoes: program.id })
    expect(await isTrusted('in/b')).toBe(false)
  })

  test('bears no mark that was gone before', async () => {
    await bench.within((unit) => markPaths(unit, ['a'], stranger))
    later(1_000)
    await bench.within((unit) => trustPath(unit, 'a', { kind: 'operator', id: 'x' }))
    const program = await bench.call(run, { state: 'ended', intended_at: later(1_000) })
    await written('a', { undoes: program.id })
    expect(await isTrusted('a')).toBe(true)
  })
})

describe('a run that ends in the middle of its calls', () => {
  const abandoned = (label = operatorLabel) =>
    bench.within((unit) => markAbandoned(unit, { id: run.id, label }))
  const begin = (resources: Resource[], sandbox?: string) =>
    bench.call(run, { state: 'intended', permit: permitFor(resources, sandbox) })

  test('leaves the whole workspace marked where a program of it may still write', async () => {
    await begin([madeFile('a', 'write')])
    await begin([madeProgram()])
    await abandoned()
    expect(await marks()).toEqual([
      {
        path: '.',
        label: {
          integrity: 'untrusted',
          confidentiality: 'private',
          sources: [...operatorLabel.sources, 'a program that is running'],
        },
      },
    ])
  })

  test('leaves the files marked that it was writing, where strangers led to it', async () => {
    await begin([madeFile('a', 'write'), madeFile('b', 'read')])
    await abandoned(stranger)
    expect(await marks()).toMatchObject([{ path: 'a', label: { integrity: 'untrusted' } }])
  })

  test('leaves no mark for what was trusted, could not write, has ended, or is another run’s', async () => {
    await begin([madeFile('a', 'write')])
    await begin([madeProgram()], 'read-only:x')
    await bench.call(run, { state: 'ended', permit: permitFor([madeProgram()]) })
    await bench.call(run, { state: 'intended' })
    await bench.call(await bench.run(), { state: 'intended', permit: permitFor([madeProgram()]) })
    await abandoned()
    expect(await marks()).toEqual([])
  })
})
