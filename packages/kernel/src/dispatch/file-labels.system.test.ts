import { randomUUIDv7 } from 'node:crypto'
import {
  type CallId,
  idFrom,
  type Label,
  operatorLabel,
  type Permit,
  type Resource,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Unit } from '../store/store.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { madeFile, madeProgram } from '../testing/made-resources.ts'
import { type FileWrites, keepLabels, labelsRead } from './file-labels.ts'
import { distrustPath, fileMarks, trustPath } from './file-trust.ts'

let bench: DispatchBench
const run = idFrom('run', randomUUIDv7())
const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const actor = { kind: 'operator', id: 'desk' } as const

beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await within(async ({ db }) => {
    await db.deleteFrom('file_labels').execute()
    await db.deleteFrom('own_paths').execute()
  })
})

const within = <T>(work: (unit: Unit) => Promise<T>) => {
  bench.now = new Date(bench.now.getTime() + 1_000)
  return bench.within(work)
}

const write = (given: Partial<FileWrites> & { resources: Resource[]; sandbox?: string }) =>
  within((unit) =>
    keepLabels(unit, {
      call: idFrom('call', randomUUIDv7()),
      subject: { resources: given.resources, sandbox: given.sandbox ?? 'files:x' },
      label: operatorLabel,
      outcome: 'ok',
      traced: undefined,
      coversNothing: false,
      undoes: null,
      ...given,
    }),
  )
const programWrites = (given: Partial<FileWrites>) =>
  write({ resources: [madeProgram()], sandbox: 'workspace-write:x', label: stranger, ...given })

async function isTrusted(path: string, decidedAt = new Date(bench.now.getTime() + 1).toISOString()) {
  const subject = { resources: [madeFile(path, 'read')], sandbox: 'files:x' }
  const permit = { subject, seal: { decidedAt } } as unknown as Permit
  const [label] = await within((unit) => labelsRead(unit, run, [{ permit, traced: undefined }]))
  return label === null
}

describe('a write that is named', () => {
  test('marks its file when strangers led to it, and a trusted one takes the mark away', async () => {
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    expect(await isTrusted('a')).toBe(false)
    expect(await isTrusted('b')).toBe(true)
    await write({ resources: [madeFile('a', 'write')] })
    expect(await isTrusted('a')).toBe(true)
  })

  test('that brings back what a program changed leaves the mark of a stranger where it is', async () => {
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    const program = idFrom('call', randomUUIDv7())
    await programWrites({ call: program, label: operatorLabel, traced: { found: [], changed: ['a'] } })
    await write({ resources: [madeFile('a', 'write')], undoes: program, coversNothing: true })
    expect(await isTrusted('a')).toBe(false)
    await write({ resources: [madeFile('b', 'write')], undoes: program, coversNothing: true })
    expect(await isTrusted('b')).toBe(true)
  })

  test('gives back, with undos in a row, the mark that it covered before others wrote there', async () => {
    const [cover, again] = [idFrom('call', randomUUIDv7()), idFrom('call', randomUUIDv7())]
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    await write({ resources: [madeFile('a', 'write')], call: cover })
    await write({ resources: [madeFile('a', 'write')], call: again, label: stranger })
    await write({ resources: [madeFile('a', 'write')], undoes: again, label: stranger })
    await write({ resources: [madeFile('a', 'write')], undoes: cover })
    expect(await isTrusted('a')).toBe(false)
  })

  test('keeps that it was made from a secret, beside what strangers wrote where it failed', async () => {
    const secret: Label = { ...operatorLabel, confidentiality: 'secret' }
    await write({ resources: [madeFile('a', 'write')], label: secret })
    await write({ resources: [madeFile('b', 'write')], label: stranger })
    await write({ resources: [madeFile('b', 'write')], label: secret, outcome: 'failed' })
    const { marks } = await within(({ db }) => fileMarks(db))
    const worth = marks.map(({ path, label }) => [path, label.integrity, label.confidentiality])
    expect(worth.toSorted(([left], [right]) => String(left).localeCompare(String(right)))).toEqual([
      ['a', 'operator', 'secret'],
      ['b', 'untrusted', 'secret'],
    ])
  })

  test('is marked among packages that the operator calls theirs', async () => {
    await within((unit) => trustPath(unit, 'vendor', actor))
    expect(await isTrusted('vendor/a')).toBe(true)
    await write({ resources: [madeFile('vendor/a', 'write')], label: stranger })
    expect(await isTrusted('vendor/a')).toBe(false)
    expect(await isTrusted('vendor/b')).toBe(true)
  })

  test('takes no mark away when it failed, and leaves none when it was refused', async () => {
    await write({ resources: [madeFile('a', 'write')], label: stranger, outcome: 'refused' })
    expect(await isTrusted('a')).toBe(true)
    await write({ resources: [madeFile('a', 'write')], label: stranger, outcome: 'unknown' })
    await write({ resources: [madeFile('a', 'write')], outcome: 'failed' })
    expect(await isTrusted('a')).toBe(false)
  })

  test('brings the mark back when it is taken back, and only its own', async () => {
    const [first, second] = [1, 2].map(() => idFrom('call', randomUUIDv7())) as [CallId, CallId]
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    await write({ resources: [madeFile('a', 'write')], call: first })
    await write({ resources: [madeFile('a', 'write')], call: second })
    await write({ resources: [madeFile('a', 'write')], undoes: second })
    expect(await isTrusted('a')).toBe(true)
    await write({ resources: [madeFile('a', 'write')], undoes: first })
    expect(await isTrusted('a')).toBe(false)
  })

  test('brings no mark back when what takes it back writes no file', async () => {
    const covering = idFrom('call', randomUUIDv7())
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    await write({ resources: [madeFile('a', 'write')], call: covering })
    await write({ resources: [madeFile('a', 'read')], undoes: covering })
    expect(await isTrusted('a')).toBe(true)
  })

  test('marks its file when something secret went into it', async () => {
    const secret: Label = { ...operatorLabel, confidentiality: 'secret' }
    await write({ resources: [madeFile('a', 'write')], label: secret })
    expect(await isTrusted('a')).toBe(false)
    expect(await isTrusted('b')).toBe(true)
  })

  test('does not help who read the file before', async () => {
    await write({ resources: [madeFile('a', 'write')], label: stranger })
    const before = bench.now.toISOString()
    await write({ resources: [madeFile('a', 'write')] })
    expect(await isTrusted('a', before)).toBe(false)
    expect(await isTrusted('a')).toBe(true)
  })
})

describe('a program', () => {
  test('marks what it changed, folders with all that is in them', async () => {
    await programWrites({ traced: { found: [], changed: ['a', 'out'] } })
    expect(await isTrusted('a')).toBe(false)
    expect(await isTrusted('out/deep/b')).toBe(false)
    expect(await isTrusted('b')).toBe(true)
  })

  test('marks everything when nobody knows what it changed', async () => {
    await programWrites({ traced: { found: [], changed: null } })
    expect(await isTrusted('a')).toBe(false)
    await within(({ db }) => db.deleteFrom('file_labels').execute())
    await programWrites({ outcome: 'unknown' })
    expect(await isTrusted('a')).toBe(false)
  })

  test('leaves no mark on packages, which nobody trusts anyway', async () => {
    await programWrites({ traced: { found: [], changed: ['vendor/a', '.git/b', 'c'] } })
    const { marks } = await bench.store.read(bench.operator, (db) => fileMarks(db))
    expect(marks.map(({ path }) => path)).toEqual(['.git/b', 'c'])
  })

  test('marks nothing when it is trusted, was refused, or could not write', async () => {
    await programWrites({ label: operatorLabel })
    await programWrites({ outcome: 'refused' })
    await programWrites({ subject: { resources: [madeProgram()], sandbox: 'read-only:x' } })
    expect((await bench.store.read(bench.operator, (db) => fileMarks(db))).marks).toEqual([])
  })
})

describe('the operator', () => {
  const trust = (path: string) => within((unit) => trustPath(unit, path, actor))
  const listed = () => bench.store.read(bench.operator, (db) => fileMarks(db))

  test('says what is theirs: its marks are gone, and what comes later is marked again', async () => {
    await programWrites({ traced: { found: [], changed: ['in/a', 'in/b', 'other'] } })
    expect(await trust('in')).toBe(2)
    expect(await isTrusted('in/a')).toBe(true)
    expect(await isTrusted('other')).toBe(false)
    await programWrites({ traced: { found: [], changed: ['in/a'] } })
    expect(await isTrusted('in/a')).toBe(false)
    expect(await isTrusted('in/b')).toBe(true)
  })

  test('is no longer believed of what lies in a folder that was marked as a whole since', async () => {
    await trust('in/mine')
    expect((await listed()).own.map(({ path }) => path)).toEqual(['in/mine'])
    await programWrites({ outcome: 'unknown' })
    expect((await listed()).own).toEqual([])
    expect(await isTrusted('in/mine/a')).toBe(false)
    await trust('in/mine')
    expect(await isTrusted('in/mine/a')).toBe(true)
    expect(await isTrusted('in/a')).toBe(false)
  })

  test('can call packages theirs by name, until a program with strangers’ text in reach ran', async () => {
    expect(await isTrusted('vendor/a')).toBe(false)
    await trust('vendor')
    expect(await isTrusted('vendor/a')).toBe(true)
    await programWrites({ traced: { found: ['vendor'], changed: ['vendor'] } })
    expect(await isTrusted('vendor/a')).toBe(false)
  })

  test('does not lose the mark under a trusted write by trusting the folder', async () => {
    const covering = idFrom('call', randomUUIDv7())
    await write({ resources: [madeFile('in/a', 'write')], label: stranger })
    await write({ resources: [madeFile('in/a', 'write')], call: covering })
    await trust('in')
    expect(await isTrusted('in/a')).toBe(true)
    await write({ resources: [madeFile('in/a', 'write')], undoes: covering })
    expect(await isTrusted('in/a')).toBe(false)
  })

  test('marks by hand', async () => {
    await trust('in')
    await within((unit) => distrustPath(unit, 'in', actor))
    expect(await isTrusted('in/a')).toBe(false)
    expect((await listed()).own).toEqual([])
  })
})
