import { createHash } from 'node:crypto'
import {
  cosign,
  idFrom,
  ledgerOrigin,
  type OperatorId,
  provesGrowth,
  readNote,
  type SeenHead,
  vkeyFor,
  witnessStep,
} from '@countersign/contract'
import { generateKey, nodeWitnessMeans, publicKeyOf, signText } from '@countersign/contract/node'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { signCheckpoint, vkeyOf } from './checkpoint.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { growthProof, rootAt } from './growth-proof.ts'
import { createWitnesses, type Witnesses } from './witnesses.ts'

const gateway = generateKey()
const gatewayId = 'gw_test'
const originOf = (operator: OperatorId) => ledgerOrigin(gatewayId, operator)
const keyOf = (operator: OperatorId) =>
  vkeyOf({ origin: originOf(operator), publicKey: publicKeyOf(gateway.publicKey) })
const laptop = { id: 'dev_laptop', kind: 'device' as const, name: 'laptop' }
const actor = { kind: 'operator' as const, id: 'desk' }

let store: MadeStore
let operator: OperatorId
let checkpoints: Checkpoints
let witnesses: Witnesses
beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  store.clear()
  operator = await store.newOperator()
  checkpoints = createCheckpoints({
    store,
    key: gateway.privateKey,
    originOf,
    onProblem: (problem) => {
      throw problem
    },
  })
  witnesses = createWitnesses({ store, checkpoints, vkeyOf: keyOf })
})

/** Entries that nobody reads, as many as it takes. */
const grow = async (count: number) => {
  await store.within(operator, async ({ db }) => {
    await sql`insert into ledger_entries (operator_id, seq, type, body, leaf)
      select ${operator}, ledger_size + n, 'made', 'entry ' || ledger_size + n,
        sha256('\\x00'::bytea || convert_to('entry ' || ledger_size + n, 'UTF8'))
      from operators, generate_series(1, ${count}::int) as n`.execute(db)
    await db
      .updateTable('operators')
      .set({ ledger_size: sql`ledger_size + ${count}` })
      .execute()
  })
  await checkpoints.sign(operator)
}
const noteOf = (size: number, root: Uint8Array, by = gateway) =>
  signCheckpoint({ origin: originOf(operator), size, root, privateKey: by.privateKey })
const otherRoot = createHash('sha256').update('another history').digest()
const complain = (note: string, reason = 'it forked') =>
  witnesses.complain(operator, laptop, { note, reason })
const standing = async () => (await witnesses.known(operator)).alarms
const marked = () =>
  store.read(operator, async (db) => {
    const row = await db.selectFrom('operators').select('ledger_alarm_at').executeTakeFirstOrThrow()
    return row.ledger_alarm_at
  })

describe('a witness is shown', () => {
  test('the newest checkpoint with a proof that holds, however the ledger grew', async () => {
    let seen: SeenHead | undefined
    for (const more of [1, 1, 5, 249, 1, 1, 300, 1_000, 3]) {
      await grow(more)
      const shown = await witnesses.head(operator, seen?.size ?? 0)
      const step = await witnessStep(seen, shown, keyOf(operator), nodeWitnessMeans)
      if (step.kind !== 'kept') throw new Error(step.reason)
      seen = step.seen
    }
    expect(seen?.size).toBe(1_561)
  })

  test('a proof from every size, although the hashes of whole parts were never kept before', async () => {
    await grow(700)
    await store.within(operator, async ({ db }) => {
      await sql`alter table ledger_subtrees disable trigger ledger_subtrees_append_only`.execute(db)
      await db.deleteFrom('ledger_subtrees').execute()
      await sql`alter table ledger_subtrees enable trigger ledger_subtrees_append_only`.execute(db)
    })
    const { note, size } = await witnesses.head(operator, 0)
    const to = readNote(note)
    if (typeof to === 'string') throw new Error(to)
    for (let from = 1; from < size; from += 13) {
      const { proof } = await witnesses.head(operator, from)
      const root = await store.read(operator, (db) => rootAt(db, from))
      const small = { origin: to.origin, size: from, root }
      expect(await provesGrowth({ from: small, to, proof }, nodeWitnessMeans.sha256), `from ${from}`).toBe(
        true,
      )
    }
  })

  test('reads no more for a proof over a long ledger than a few hundred hashes', async () => {
    await grow(70_000)
    let most = 0
    for (const from of [1, 255, 256, 257, 30_000, 65_535, 65_536, 65_537, 69_743, 69_999]) {
      const { read } = await store.read(operator, (db) => growthProof(db, from, 70_000))
      most = Math.max(most, read)
    }
    expect(most).toBeLessThan(1_100)
  })

  test('the same checkpoint and nothing to prove where it asks for more than there is', async () => {
    await grow(3)
    expect(await witnesses.head(operator, 9)).toMatchObject({ size: 3, from: 9, proof: [] })
  })
})

describe('what a witness saw', () => {
  const key = generateKey()
  const name = 'countersign/gw_test/dev_laptop'
  const vkey = () => vkeyFor({ name, raw: key.publicKey, signs: 'cosignatures' }, nodeWitnessMeans)
  const cosigned = async (note: string, by = key) =>
    cosign(
      { note },
      { name, raw: by.publicKey, at: store.now, sign: (text) => signText(by.privateKey, text) },
      nodeWitnessMeans,
    )

  test('is kept with its size and time, and never goes back', async () => {
    await grow(2)
    const early = await witnesses.head(operator, 0)
    await grow(2)
    const late = await witnesses.head(operator, 2)
    const report = async ({ note, size }: typeof late) =>
      witnesses.saw(operator, laptop, { size, cosignature: await cosigned(note), key: await vkey() })
    await report(late)
    await report(early)
    expect((await witnesses.known(operator)).witnesses).toMatchObject([
      { witness: 'dev_laptop', kind: 'device', size: 4, at: store.now },
    ])
  })

  test('is refused over a size that no checkpoint has, over another note, and by another key', async () => {
    await grow(2)
    const { note } = await witnesses.head(operator, 0)
    const saw = async (size: number, cosignature: string) =>
      witnesses.saw(operator, laptop, { size, cosignature, key: await vkey() })
    await expect(saw(1, await cosigned(note))).rejects.toThrow('No checkpoint')
    await expect(saw(2, await cosigned(noteOf(2, otherRoot)))).rejects.toThrow('does not hold')
    await expect(saw(2, await cosigned(note, generateKey()))).rejects.toThrow('does not hold')
    expect((await witnesses.known(operator)).witnesses).toEqual([])
    await saw(2, await cosigned(note))
    expect((await witnesses.known(operator)).witnesses).toHaveLength(1)
  })
})

describe('a complaint', () => {
  test('raises the alarm with a checkpoint that this gateway signed and does not hold', async () => {
    await grow(3)
    expect(await complain(noteOf(3, otherRoot))).toBe('raised')
    expect(await standing()).toMatchObject([{ witness: 'laptop', size: 3, reason: 'it forked' }])
    expect(await marked()).toEqual(store.now)
    expect(store.entries.map(({ type }) => type)).toEqual(['ledger.alarm_raised'])
    expect(store.events).toMatchObject([{ type: 'notice', about: 'ledger' }])
    expect(await complain(noteOf(3, otherRoot))).toBe('known')
    expect(store.entries).toHaveLength(1)
  })

  test('raises it for more entries than there are, and for a size that was signed otherwise in between', async () => {
    await grow(3)
    expect(await complain(noteOf(2, otherRoot))).toBe('raised')
    expect(await complain(noteOf(50, otherRoot))).toBe('raised')
    expect(await standing()).toHaveLength(2)
  })

  test('changes nothing with a checkpoint of this ledger, or of a size in between', async () => {
    await grow(3)
    const { note } = await witnesses.head(operator, 0)
    expect(await complain(note)).toBe('agrees')
    const root = Buffer.from(await store.read(operator, (db) => rootAt(db, 2)), 'base64')
    expect(await complain(noteOf(2, root))).toBe('agrees')
    expect(await complain(noteOf(0, createHash('sha256').digest()))).toBe('agrees')
    expect(await marked()).toBeNull()
    expect(store.entries).toEqual([])
  })

  test('changes nothing with what this gateway did not sign, whoever sends it', async () => {
    await grow(3)
    const forged = noteOf(3, otherRoot, generateKey())
    await expect(complain(forged)).rejects.toThrow('proves nothing')
    await expect(complain('nothing')).rejects.toThrow('proves nothing')
    const elsewhere = signCheckpoint({
      origin: originOf(idFrom('op', '019a0000-0000-7000-8000-000000000001')),
      size: 3,
      root: otherRoot,
      privateKey: gateway.privateKey,
    })
    await expect(complain(elsewhere)).rejects.toThrow('proves nothing')
    expect(await marked()).toBeNull()
    expect(await standing()).toEqual([])
  })

  test('stays cleared when the operator cleared it, and another one still counts', async () => {
    await grow(3)
    await complain(noteOf(3, otherRoot))
    await complain(noteOf(9, otherRoot))
    const [first, second] = await standing()
    await witnesses.clear(operator, [first?.id ?? ''], actor)
    expect(await marked()).not.toBeNull()
    await expect(witnesses.clear(operator, [first?.id ?? ''], actor)).rejects.toThrow('None of these')
    await witnesses.clear(operator, [second?.id ?? ''], actor)
    expect(await marked()).toBeNull()
    expect(await complain(noteOf(3, otherRoot))).toBe('cleared')
    expect(await marked()).toBeNull()
    expect(await complain(noteOf(4, otherRoot))).toBe('raised')
    expect(await marked()).not.toBeNull()
    expect(store.entries.map(({ type }) => type)).toEqual([
      'ledger.alarm_raised',
      'ledger.alarm_raised',
      'ledger.alarm_cleared',
      'ledger.alarm_cleared',
      'ledger.alarm_raised',
    ])
  })
})
