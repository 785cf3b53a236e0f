import { createHash, sign as signBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  cosign,
  cosignedAt,
  openSignedNote,
  provesGrowth,
  type SeenHead,
  vkeyFor,
  webWitnessMeans,
  witnessStep,
} from './ledger-witness.ts'
import { generateKey, leafHash, nodeWitnessMeans, signText } from './node/index.ts'
import { joinBytes, keyIdInput, noteLine, readNote, readNoteKey, textOfBytes } from './signed-note.ts'

const means = nodeWitnessMeans
const origin = 'countersign/gw_test/op_test'
const gateway = generateKey()
const key = await vkeyFor({ name: origin, raw: gateway.publicKey, signs: 'checkpoints' }, means)

const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leavesOf = (size: number, from = 'entry') =>
  Array.from({ length: size }, (_, index) => leafHash(Buffer.from(`${from} ${index}`)))

/** The definitions of RFC 6962, 2.1 and 2.1.2, word for word. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (only === undefined) return hash()
  if (leaves.length === 1) return only
  const split = splitOf(leaves.length)
  return hash(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}
function proofOf(from: number, leaves: readonly Uint8Array[], isRoot = true): Uint8Array[] {
  if (from === leaves.length) return isRoot ? [] : [rootOf(leaves)]
  const split = splitOf(leaves.length)
  return from <= split
    ? [...proofOf(from, leaves.slice(0, split), isRoot), rootOf(leaves.slice(split))]
    : [...proofOf(from - split, leaves.slice(split), false), rootOf(leaves.slice(0, split))]
}
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const headOf = (leaves: readonly Uint8Array[]) => ({
  origin,
  size: leaves.length,
  root: base64(rootOf(leaves)),
})

function signedText(text: string, by = gateway, name = origin): string {
  const raw = Buffer.from(by.publicKey, 'base64')
  const id = hash(keyIdInput(name, 1, raw)).subarray(0, 4)
  return `${text}\n${noteLine(name, id, signBytes(null, Buffer.from(text), by.privateKey))}`
}
function noteOf(leaves: readonly Uint8Array[], by = gateway, name = origin): string {
  return signedText(`${name}\n${leaves.length}\n${base64(rootOf(leaves))}\n`, by, name)
}
const shown = (leaves: readonly Uint8Array[], from: number) => ({
  note: noteOf(leaves),
  from,
  proof: from === 0 ? [] : proofOf(from, leaves).map(base64),
})
const seenOf = (leaves: readonly Uint8Array[]): SeenHead => ({ ...headOf(leaves), note: noteOf(leaves) })

test('proves every growth up to 70 entries, and no growth of another history', async () => {
  const all = leavesOf(70)
  for (let to = 0; to <= all.length; to += 1) {
    for (let from = 0; from <= to; from += 1) {
      const grown = all.slice(0, to)
      const proof = from === 0 ? [] : proofOf(from, grown).map(base64)
      const heads = { from: headOf(all.slice(0, from)), to: headOf(grown) }
      expect(await provesGrowth({ ...heads, proof }, means.sha256), `${from} to ${to}`).toBe(true)
      if (from === 0) continue
      const forked = headOf([...all.slice(0, from - 1), leafHash(Buffer.from('other'))])
      expect(await provesGrowth({ ...heads, from: forked, proof }, means.sha256)).toBe(false)
      expect(await provesGrowth({ ...heads, proof: [...proof, heads.to.root] }, means.sha256)).toBe(false)
      if (proof.length > 0) {
        expect(await provesGrowth({ ...heads, proof: proof.slice(1) }, means.sha256)).toBe(false)
        expect(await provesGrowth({ ...heads, proof: proof.slice(0, -1) }, means.sha256)).toBe(false)
      }
    }
  }
})

test('keeps the first that it is shown, what is the same, and what continues it', async () => {
  const all = leavesOf(12)
  const first = await witnessStep(undefined, shown(all.slice(0, 5), 0), key, means)
  expect(first).toEqual({ kind: 'kept', seen: seenOf(all.slice(0, 5)) })
  const seen = seenOf(all.slice(0, 5))
  expect(await witnessStep(seen, shown(all.slice(0, 5), 5), key, means)).toEqual({ kind: 'kept', seen })
  expect(await witnessStep(seen, shown(all, 5), key, means)).toEqual({ kind: 'kept', seen: seenOf(all) })
  expect((await witnessStep(seenOf([]), shown(all, 0), key, means)).kind).toBe('kept')
})

test('a browser judges as the command line does', async () => {
  const all = leavesOf(12)
  const other = [...leavesOf(3), ...leavesOf(9, 'other')]
  for (const leaves of [all, other])
    expect((await witnessStep(seenOf(all.slice(0, 5)), shown(leaves, 5), key, webWitnessMeans)).kind).toBe(
      leaves === all ? 'kept' : 'complaint',
    )
})

test('complains about a shorter ledger, another of the same size, and a longer that forked', async () => {
  const all = leavesOf(12)
  const seen = seenOf(all)
  const code = async (leaves: readonly Uint8Array[], from = 12) => {
    const step = await witnessStep(seen, shown(leaves, from), key, means)
    return step.kind === 'complaint' ? step.code : step.kind
  }
  expect(await code(all.slice(0, 11), 0)).toBe('rollback')
  expect(await code([], 0)).toBe('rollback')
  expect(await code([...all.slice(0, 11), leafHash(Buffer.from('other'))])).toBe('fork')
  for (let at = 0; at < 12; at += 1) {
    const forked = [...all, leafHash(Buffer.from('more'))].with(at, leafHash(Buffer.from('other')))
    expect(await code(forked)).toBe('fork')
  }
  // The proof from another size than the one that was seen proves nothing.
  expect(await code([...all, leafHash(Buffer.from('more'))], 11)).toBe('fork')
  expect(await code([...all, leafHash(Buffer.from('more'))], 0)).toBe('fork')
})

test('complains about another ledger and about what the gateway did not sign', async () => {
  const all = leavesOf(3)
  const seen = seenOf(all.slice(0, 2))
  const code = async (note: string, kept: SeenHead | undefined = seen) => {
    const proof = proofOf(2, all).map(base64)
    const step = await witnessStep(kept, { note, from: 2, proof }, key, means)
    return step.kind === 'complaint' ? step.code : step.kind
  }
  const stranger = generateKey()
  expect(await code(noteOf(all))).toBe('kept')
  expect(await code(noteOf(all, stranger))).toBe('signature')
  expect(await code(noteOf(all, gateway, 'countersign/gw_other/op_test'))).toBe('origin')
  expect(await code(noteOf(all), { ...seen, origin: 'countersign/gw_old/op_test' })).toBe('origin')
  expect(await code('nothing')).toBe('form')
  expect(await code(signedText(`${origin}\n3\n${headOf(all).root}\nmore\n`))).toBe('form')
  // The right name and id over a signature of somebody else.
  const own = readNote(noteOf(all))
  const theirs = readNote(noteOf(all, stranger))
  if (typeof own === 'string' || typeof theirs === 'string') throw new Error('a note of the test is wrong')
  const [ownLine] = own.lines
  const [theirLine] = theirs.lines
  if (!ownLine || !theirLine) throw new Error('a note of the test has no line')
  expect(await code(`${own.text}\n${noteLine(origin, ownLine.id, theirLine.bytes)}`)).toBe('signature')
})

test('refuses the checkpoint after a change of any single bit', async () => {
  const note = Buffer.from(noteOf(leavesOf(3)))
  for (let bit = 0; bit < note.length * 8; bit += 1) {
    const changed = Buffer.from(note)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    const opened = await openSignedNote(changed.toString('utf8'), key, means)
    expect(opened.kind, `bit ${bit}`).toBe('refused')
  }
})

test('reads the example of the specification, and writes cosignatures in its form', async () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
  const note = `${text}\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n`
  const witness = generateKey()
  const name = 'witness.example.com/w1'
  const vkey = await vkeyFor({ name, raw: witness.publicKey, signs: 'cosignatures' }, means)
  const at = new Date('2026-11-19T02:00:00.700Z')
  const by = { name, raw: witness.publicKey, at, sign: (said: string) => signText(witness.privateKey, said) }
  const line = await cosign({ note }, by, means)
  expect(line).toMatch(/^— witness\.example\.com\/w1 [A-Za-z0-9+/]+=*\n$/u)
  expect(await cosignedAt(note, line, vkey, means)).toEqual(new Date('2026-11-19T02:00:00.000Z'))
  expect(await cosignedAt(note, line, vkey, webWitnessMeans)).toEqual(new Date('2026-11-19T02:00:00.000Z'))
  // Not over another checkpoint, not by another key, and not as a checkpoint of its own.
  expect(await cosignedAt(note.replace('20852163', '20852164'), line, vkey, means)).toBeUndefined()
  const other = await vkeyFor({ name, raw: generateKey().publicKey, signs: 'cosignatures' }, means)
  expect(await cosignedAt(note, line, other, means)).toBeUndefined()
  const asLog = await vkeyFor({ name, raw: witness.publicKey, signs: 'checkpoints' }, means)
  expect(await cosignedAt(note, line, asLog, means)).toBeUndefined()
  expect(await cosignedAt(note, `${line}${line}`, vkey, means)).toBeUndefined()
})

test('knows a published key, and refuses one whose hash is not its own', async () => {
  const published = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
  const read = readNoteKey(published)
  expect(
    await vkeyFor(
      { name: 'PeterNeumann', raw: textOfBytes(read?.raw ?? joinBytes()), signs: 'checkpoints' },
      means,
    ),
  ).toBe(published)
  const changed = key.replace(/\+([0-9a-f])/, (_, digit) => `+${digit === '0' ? '1' : '0'}`)
  expect(await openSignedNote(noteOf(leavesOf(1)), changed, means)).toMatchObject({ code: 'form' })
})
