import { expect, it } from 'vitest'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import { anyCall, type Call, near } from './grants/calls.ts'
import { readSentence } from './grants/sentence-reading.ts'

const file = (path: string, root: 'workspace' | 'host' = 'workspace'): Call['resources'][number] => ({
  type: 'file',
  root,
  path,
  op: 'read',
  identity: 'absent',
  content: null,
})
const url = (host: string, port = 443): Call['resources'][number] => ({
  type: 'url',
  scheme: 'https',
  host,
  port,
  method: 'GET',
  addressClass: 'name',
  redirects: 'refused',
  carries: 'address',
})
const approved: Call = {
  ...anyCall(createRandom(1), 'look', 0),
  resources: [file('notes/a.txt')],
  goal: 'goal_1',
}
const read = (sentence: string) =>
  readSentence(`${sentence}; a task that has read untrusted content asks again`, approved)
const allows = (sentence: string, change: Partial<Call>) => read(sentence).allows({ ...approved, ...change })

it('reads how often and how long', () => {
  const often = read('look: read a in this run, up to 3 times, for 2 days')
  expect([often.times, often.minutes]).toEqual([3, 2880])
  const always = read(
    'look: whatever it touches in the workspace or looks at on the network anywhere, as often as needed, for a day',
  )
  expect([always.times, always.minutes]).toEqual([null, 1440])
  expect(() => read('look: everything')).toThrow('nobody can read')
  expect(() => readSentence('look: read a in this run, up to 3 times, for a day', approved)).toThrow()
})

it('reads a file as that file, and a folder as what is in it', () => {
  const one = 'look: read notes/a.txt anywhere, up to 3 times, for a day'
  expect(allows(one, {})).toBe(true)
  expect(allows(one, { resources: [file('notes/b.txt')] })).toBe(false)
  expect(allows(one, { resources: [file('notes/a.txt'), file('b')] })).toBe(false)
  expect(allows(one, { resources: [] })).toBe(false)
  const folder = 'look: read in notes anywhere, up to 3 times, for a day'
  expect(allows(folder, { resources: [file('notes/deep/b.txt')] })).toBe(true)
  expect(allows(folder, { resources: [file('notesold/b.txt')] })).toBe(false)
  expect(allows(folder, { resources: [file('/notes/b.txt', 'host')] })).toBe(false)
  const elsewhere = 'look: read in /srv/notes on this computer anywhere, up to 3 times, for a day'
  expect(allows(elsewhere, { resources: [file('/srv/notes/b.txt', 'host')] })).toBe(true)
  expect(allows(elsewhere, { resources: [file('srv/notes/b.txt')] })).toBe(false)
})

it('reads a host with its port, and a call to the letter', () => {
  const host =
    'look: look at any address of https://example.org:443 with GET or HEAD anywhere, up to 3 times, for a day'
  expect(allows(host, { resources: [url('example.org')] })).toBe(true)
  expect(allows(host, { resources: [url('example.org', 8443)] })).toBe(false)
  expect(allows(host, { resources: [url('sub.example.org')] })).toBe(false)
  const call = 'look: this exact call anywhere, up to 3 times, for a day'
  expect([allows(call, {}), allows(call, { args: '{}' })]).toEqual([true, false])
})

it('reads what may be created, and what may be changed', () => {
  const made = (path: string, there = false) => {
    const identity = there ? { device: '1', inode: '2' } : 'absent'
    return { resources: [{ ...file(path), op: 'write', identity } as Call['resources'][number]] }
  }
  const create = 'look: create plain files in notes anywhere, up to 3 times, for a day'
  expect(allows(create, made('notes/b.md'))).toBe(true)
  expect(allows(create, made('notes/b.md', true))).toBe(false)
  expect(allows(create, made('notes/.git/b.md'))).toBe(false)
  expect(allows(create, made('notes/run'))).toBe(false)
  const change = 'look: create or change plain files in notes anywhere, up to 3 times, for a day'
  expect(allows(change, made('notes/b.md', true))).toBe(true)
  expect(allows(change, made('other/b.md', true))).toBe(false)
})

it('reads that it holds after untrusted content', () => {
  const said =
    'look: this exact call anywhere, up to 3 times, for a day; also in a task that has read untrusted content: it stays the same to the byte'
  expect(readSentence(said, approved).untrusted).toBe(true)
  expect(read('look: this exact call anywhere, up to 3 times, for a day').untrusted).toBe(false)
})

it('reads where', () => {
  const run = 'look: this exact call in this run, up to 3 times, for a day'
  expect([allows(run, {}), allows(run, { run: 'run_9' })]).toEqual([true, false])
  const goal = 'look: this exact call for this goal, up to 3 times, for a day'
  expect([allows(goal, {}), allows(goal, { goal: null })]).toEqual([true, false])
})

it('makes calls near an approved one, the same for a seed', () => {
  const made = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 200 }, (_, at) => near(random, approved, at))
  }
  expect(made(4)).toEqual(made(4))
  expect(made(4).filter((call) => call.resources === approved.resources).length).toBeGreaterThan(20)
})
