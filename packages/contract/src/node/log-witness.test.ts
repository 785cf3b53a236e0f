import { createHash, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cosignedAt, vkeyFor } from '../ledger-witness.ts'
import { keyIdInput, noteLine } from '../signed-note.ts'
import { addCheckpointBody } from '../tlog-witness.ts'
import { generateKey } from './keys.ts'
import { type LogWitness, openLogWitness } from './log-witness.ts'
import { nodeWitnessMeans } from './witness-means.ts'

const origin = 'log.example/one'
const log = generateKey()
const key = generateKey()
const name = 'witness.example/w1'
const now = new Date('2026-11-19T02:30:00.000Z')
const logKey = await vkeyFor({ name: origin, raw: log.publicKey, signs: 'checkpoints' }, nodeWitnessMeans)
const witnessKey = await vkeyFor({ name, raw: key.publicKey, signs: 'cosignatures' }, nodeWitnessMeans)

let folder: string
let witness: LogWitness
const open = () =>
  openLogWitness({ file: join(folder, 'seen.sqlite'), name, key, logs: [logKey], now: () => now })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-witness-'))
  witness = open()
})
afterEach(() => {
  witness.close()
  rmSync(folder, { recursive: true })
})

const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaf = (text: string) => hash(Uint8Array.of(0), Buffer.from(text))
const node = (left: Uint8Array, right: Uint8Array) => hash(Uint8Array.of(1), left, right)
const base64 = (bytes: Buffer) => bytes.toString('base64')
function note(size: number, root: Buffer, by = log, of = origin, more = ''): string {
  const text = `${of}\n${size}\n${base64(root)}\n${more}`
  const id = hash(keyIdInput(of, 1, Buffer.from(by.publicKey, 'base64'))).subarray(0, 4)
  return `${text}\n${noteLine(of, id, sign(null, Buffer.from(text), by.privateKey))}`
}
const [a, b, c] = [leaf('a'), leaf('b'), leaf('c')]
const add = (old: number, text: string, ...proof: Buffer[]) =>
  witness.addCheckpoint(addCheckpointBody({ old, proof: proof.map(base64), note: text }))
const one = note(1, a)
const two = note(2, node(a, b))
const otherTwo = note(2, node(c, b))
const three = note(3, node(node(a, b), c))

test('cosigns a log from its beginning, and each checkpoint that continues it', async () => {
  const answer = await add(0, one)
  expect(answer.status).toBe(200)
  expect(await cosignedAt(one, answer.body, witnessKey, nodeWitnessMeans)).toEqual(now)
  expect((await add(1, two, b)).status).toBe(200)
  expect((await add(2, three, c)).status).toBe(200)
  expect(witness.seen()).toMatchObject([{ origin, size: 3 }])
  expect((await add(3, three)).status).toBe(200)
})

test('cosigns the whole text of a log that has lines after the root', async () => {
  const extended = note(1, a, log, origin, 'more\n')
  const { status, body } = await add(0, extended)
  expect(status).toBe(200)
  expect(await cosignedAt(extended, body, witnessKey, nodeWitnessMeans)).toEqual(now)
  expect(await cosignedAt(one, body, witnessKey, nodeWitnessMeans)).toBeUndefined()
})

test('says its size to whoever means another, and refuses another history of the same one', async () => {
  await add(0, two)
  for (const [old, text] of [
    [0, two],
    [1, two],
    [0, three],
    [1, three],
    [2, otherTwo],
  ] as const) {
    expect(await add(old, text)).toEqual({ status: 409, body: '2\n', type: 'text/x.tlog.size' })
  }
  expect(witness.seen()).toMatchObject([{ size: 2, root: base64(node(a, b)) }])
})

test('refuses a proof that proves nothing, a size that goes back, and a beginning with a proof', async () => {
  expect((await add(0, one, a)).status).toBe(422)
  await add(0, two)
  expect((await add(2, three, b)).status).toBe(422)
  expect((await add(2, three)).status).toBe(422)
  expect((await add(2, note(3, node(node(c, b), c)), c)).status).toBe(422)
  expect((await add(2, one)).status).toBe(400)
  expect(witness.seen()).toMatchObject([{ size: 2 }])
})

test('knows only its logs, under their keys', async () => {
  expect((await add(0, note(1, a, log, 'log.example/two'))).status).toBe(404)
  expect((await add(0, note(1, a, generateKey()))).status).toBe(403)
  expect(witness.seen()).toEqual([])
  expect(() =>
    openLogWitness({ file: join(folder, 'x'), name, key, logs: ['nonsense'], now: () => now }),
  ).toThrow('no key of a log')
})

test.each([
  ['nothing', ''],
  ['no old size', `\n\n${one}`],
  ['a padded size', `old 00\n\n${one}`],
  ['a size below zero', `old -1\n\n${one}`],
  ['a short hash', `old 0\nAAAA\n\n${one}`],
  ['too many hashes', `old 0\n${`${base64(a)}\n`.repeat(64)}\n${one}`],
  ['no checkpoint', 'old 0\n\n'],
  ['a checkpoint that is cut', `old 0\n\n${one.slice(0, -1)}`],
])('refuses a request with %s', async (_, body) => {
  expect((await witness.addCheckpoint(body)).status).toBe(400)
})

test('cosigns one of two histories that come at once, on one file and on two', async () => {
  await add(0, one)
  const beside = open()
  const request = (text: string, proof: Buffer) =>
    addCheckpointBody({ old: 1, proof: [base64(proof)], note: text })
  const forked = note(2, node(a, c))
  const answers = await Promise.all([
    witness.addCheckpoint(request(two, b)),
    beside.addCheckpoint(request(forked, c)),
    witness.addCheckpoint(request(forked, c)),
    beside.addCheckpoint(request(two, b)),
  ])
  beside.close()
  const roots = new Set(
    answers.flatMap(({ status }, at) => (status === 200 ? [at === 0 || at === 3 ? 'two' : 'forked'] : [])),
  )
  expect(roots.size).toBe(1)
  expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(2)
})

test('remembers after a new start what it cosigned', async () => {
  await add(0, two)
  witness.close()
  witness = open()
  expect((await add(0, one)).body).toBe('2\n')
  expect((await add(2, otherTwo)).status).toBe(409)
})
