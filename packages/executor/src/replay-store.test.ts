import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ExecutedReply, openReplayStore, type PermitUse, type ReplayStore } from './replay-store.ts'

let folder: string
let path: string
let time: Date
const stores: ReplayStore[] = []

const open = (waitMs = 2000) => {
  const store = openReplayStore({ path, now: () => time, waitMs })
  stores.push(store)
  return store
}
const use = (nonce: string, effect: PermitUse['effect'] = 'once'): PermitUse => ({
  nonce,
  digest: `digest of ${nonce}`,
  key: 'key',
  effect,
  secret: createHash('sha256').update(nonce).digest(),
})
const done: ExecutedReply = {
  kind: 'done',
  startedAt: 'start',
  endedAt: 'end',
  result: { ok: true, text: 'text', summary: 'summary', undo: null },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-replay-'))
  path = join(folder, 'replay.db')
  time = new Date('2026-01-01T00:00:00.000Z')
})
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
  rmSync(folder, { recursive: true })
})

describe('the replay store', () => {
  it('begins a nonce once and gives its outcome ever after, also after it is opened again', async () => {
    const store = open()
    expect(await store.earlier(use('a'))).toBeUndefined()
    expect(await store.begin(use('a'))).toEqual({ kind: 'begun', startedAt: time.toISOString() })
    await store.finish('a', done)
    expect(await store.begin(use('a'))).toEqual({ kind: 'seen', reply: done })
    expect(await open().earlier(use('a'))).toEqual(done)
  })

  it('keeps no word of an end in its files, and gives it to whoever has the whole permit', async () => {
    const store = open()
    await store.begin(use('a'))
    const result = { ...done.result, text: 'the sandpiper', summary: 'the sandpiper' }
    await store.finish('a', { ...done, result })
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(files.join('')).toContain('digest of a')
    expect(files.join('')).not.toContain('sandpiper')
    expect(await store.earlier(use('a'))).toMatchObject({ result })
    await expect(store.earlier({ ...use('a'), secret: use('b').secret })).rejects.toThrow()
  })

  it('lets one of many begin, and the others wait for its end', async () => {
    const store = open()
    const begins = Array.from({ length: 50 }, () => store.begin(use('a')))
    expect(await begins[0]).toMatchObject({ kind: 'begun' })
    setTimeout(() => void store.finish('a', done), 30)
    const rest = await Promise.all(begins.slice(1))
    expect(rest.every((begun) => begun.kind === 'seen' && begun.reply.kind === 'done')).toBe(true)
  })

  it('refuses the nonce of one permit to another', async () => {
    const store = open()
    await store.begin(use('a'))
    await store.finish('a', done)
    expect(await store.earlier({ ...use('a'), digest: 'other' })).toMatchObject({ kind: 'refused' })
  })

  it('says unknown of what a dead process began', async () => {
    open()
    const dead = spawnSync('/bin/true').pid
    insert(path, 'a', dead, 'any')
    expect(await open().begin(use('a'))).toMatchObject({
      kind: 'seen',
      reply: { kind: 'unknown', startedAt: 'then' },
    })
  })

  it('says unknown when the number of the process was given to another', async () => {
    open()
    insert(path, 'a', process.ppid, 'born at another time')
    expect(await open().earlier(use('a'))).toMatchObject({ kind: 'unknown' })
  })

  it('does not wait for ever for a process that lives', async () => {
    const first = open(50)
    await first.begin(use('a'))
    expect(await first.earlier(use('a'))).toMatchObject({ kind: 'unknown' })
  })

  it('forgets after a day and not before', async () => {
    const store = open()
    await store.begin(use('a'))
    await store.finish('a', done)
    time = new Date(time.getTime() + 23 * 3_600_000)
    await store.begin(use('b'))
    expect(await store.earlier(use('a'))).toEqual(done)
    time = new Date(time.getTime() + 2 * 3_600_000)
    await store.begin(use('c'))
    expect(await store.earlier(use('a'))).toBeUndefined()
  })

  it('begins nothing that it cannot record', async () => {
    const store = open()
    const other = new DatabaseSync(path)
    other.exec('DROP TABLE permit_use')
    other.close()
    await expect(store.begin(use('a'))).rejects.toThrow('permit_use')
  })
})

function insert(file: string, nonce: string, pid: number, birth: string): void {
  const database = new DatabaseSync(file)
  const row = database.prepare(
    'INSERT INTO permit_use (nonce, digest, key, started_at, pid, birth) VALUES (?, ?, ?, ?, ?, ?)',
  )
  row.run(nonce, `digest of ${nonce}`, 'key', 'then', pid, birth)
  database.close()
}
