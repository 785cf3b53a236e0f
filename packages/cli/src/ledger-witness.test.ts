import { createHash, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CountersignError,
  cosignedAt,
  idFrom,
  keyIdInput,
  ledgerOrigin,
  noteLine,
  vkeyFor,
  witnessName,
} from '@countersign/contract'
import { generateKey, nodeWitnessMeans } from '@countersign/contract/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWitnessMemory, witnessAtConnect, witnessFile } from './ledger-witness.ts'
import { type FakeRequest, fakeClient } from './testing/fake-client.ts'

const gatewayKey = generateKey()
const deviceKey = generateKey()
const gateway = idFrom('gw', '019a0000-0000-7000-8000-000000000001')
const operator = idFrom('op', '019a0000-0000-7000-8000-000000000002')
const device = idFrom('dev', '019a0000-0000-7000-8000-000000000003')
const origin = ledgerOrigin(gateway, operator)
const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaf = (text: string) => hash(Uint8Array.of(0), Buffer.from(text))
const join2 = (left: Uint8Array, right: Uint8Array) => hash(Uint8Array.of(1), left, right)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function noteOf(size: number, root: Uint8Array): string {
  const text = `${origin}\n${size}\n${base64(root)}\n`
  const id = hash(keyIdInput(origin, 1, Buffer.from(gatewayKey.publicKey, 'base64'))).subarray(0, 4)
  return `${text}\n${noteLine(origin, id, sign(null, Buffer.from(text), gatewayKey.privateKey))}`
}
/** One entry, and a second one after it; and another second one. */
const one = { note: noteOf(1, leaf('a')), size: 1, proof: [] as string[] }
const two = { note: noteOf(2, join2(leaf('a'), leaf('b'))), size: 2, proof: [base64(leaf('b'))] }
const forked = { note: noteOf(2, join2(leaf('x'), leaf('b'))), size: 2, proof: [base64(leaf('b'))] }

let folder: string
let now: Date
let shown: typeof one | Error
let asked: FakeRequest[]
let warned: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'))
  now = new Date('2026-11-19T10:00:00Z')
  shown = one
  asked = []
  warned = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const paths = () => ({ deviceKey: join(folder, 'device.key') })
const memory = () => readWitnessMemory(witnessFile(paths()))
async function look(history: typeof shown = shown): Promise<void> {
  const client = fakeClient((request) => {
    asked.push(request)
    if (request.path !== '/v1/ledger/head') {
      return request.path.endsWith('complaints') ? { result: 'raised' } : { ok: true, ledger: 0 }
    }
    if (history instanceof Error) throw history
    return { ...history, from: Number(request.query['from']) }
  })
  const identity = {
    trust: { gateway: { id: gateway, key: gatewayKey.publicKey }, operator },
    device: { id: device, keys: deviceKey },
  }
  await witnessAtConnect({ client, identity } as never, {
    paths: paths(),
    now: () => now,
    warn: (text) => warned.push(text),
    detail: () => undefined,
  })
}
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const pathsAsked = () => asked.map(({ path }) => path.replace('/v1/ledger/', ''))

test('keeps what it saw, cosigns it, and asks again from there after a minute', async () => {
  await look()
  expect(memory().seen).toMatchObject({ size: 1, origin })
  later(59_000)
  await look()
  expect(pathsAsked()).toEqual(['head', 'witnesses/seen'])
  later(2_000)
  shown = two
  await look()
  expect(asked[2]?.query).toEqual({ from: '1' })
  expect(memory().seen).toMatchObject({ size: 2 })
  const { size, cosignature } = asked.map(({ body }) => body)[3] as { size: number; cosignature: string }
  const name = witnessName(gateway, device)
  const vkey = await vkeyFor({ name, raw: deviceKey.publicKey, signs: 'cosignatures' }, nodeWitnessMeans)
  expect(size).toBe(2)
  expect(await cosignedAt(two.note, cosignature, vkey, nodeWitnessMeans)).toEqual(now)
  expect(warned).toEqual([])
})

test.each([
  ['a fork', two, forked, 'another history of 2 entries'],
  ['a rollback', two, one, 'it has 1 entries, and 2 were seen before'],
])(
  'warns about %s at every command, complains with what it saw, and cosigns nothing more',
  async (_, before, after, words) => {
    shown = before
    await look()
    later(61_000)
    shown = after
    await look()
    later(1_000)
    await look()
    later(61_000)
    shown = before
    await look()
    expect(warned).toHaveLength(3)
    for (const each of warned) expect(each).toContain(words)
    expect(memory().seen?.note).toBe(before.note)
    const complaints = asked.filter(({ path }) => path.endsWith('complaints'))
    expect(complaints.map(({ body }) => (body as { note: string }).note)).toEqual([before.note])
    expect(pathsAsked().filter((path) => path === 'witnesses/seen')).toHaveLength(1)
  },
)

test('takes no answer for no complaint, and complains when there is one again', async () => {
  shown = two
  await look()
  later(61_000)
  shown = new CountersignError('gateway_unreachable', 'away')
  await look()
  expect(warned).toEqual([])
  expect(memory().seen).toMatchObject({ size: 2 })
  shown = one
  await look()
  expect(warned).toHaveLength(1)
})

test('refuses to go on as if it had seen nothing where its file was damaged', async () => {
  await look()
  for (const text of ['{', '{}', '{"seen":{"note":"x"},"checkedAt":null,"trouble":null}']) {
    writeFileSync(witnessFile(paths()), text)
    await expect(look()).rejects.toThrow('cannot be read')
    expect(readFileSync(witnessFile(paths()), 'utf8')).toBe(text)
  }
})

test('of two commands at once that are shown two histories one is kept, and the other cosigns nothing', async () => {
  await look()
  later(61_000)
  const other = { note: noteOf(2, join2(leaf('a'), leaf('c'))), size: 2, proof: [base64(leaf('c'))] }
  const histories = [two, other]
  shown = two
  asked = []
  const looks = histories.map((history) => look(history))
  await Promise.all(looks)
  const kept = memory().seen?.note
  expect(histories.map(({ note }) => note)).toContain(kept)
  expect(pathsAsked().filter((path) => path === 'witnesses/seen')).toHaveLength(1)
  // Whichever was not kept is noticed at the next look.
  later(61_000)
  await look(histories.find(({ note }) => note !== kept))
  expect(warned.at(-1)).toContain('another history of 2 entries')
})
