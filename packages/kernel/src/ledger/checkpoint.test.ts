import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { emptyFrontier, frontierRoot, leafHash } from '@countersign/contract/node'
import { expect, test } from 'vitest'
import { parseCheckpoint, signCheckpoint, verifyCheckpoint, vkeyOf } from './checkpoint.ts'

const origin = 'gateway.test/ledger'
const privateKey = fixedKey(1)
const vkey = vkeyOf({ origin, publicKey: createPublicKey(privateKey) })
const root = leafHash(Buffer.from('{}'))
const note = signCheckpoint({ origin, size: 1, root, privateKey })

test('computes the key hash of a published verifier key, and refuses the key for another origin', () => {
  const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
  const refusal = verifyCheckpoint(note, key)
  expect(refusal).toEqual({ kind: 'refused', reason: 'the checkpoint has another origin than the key' })
})

test('verifies its own note and returns origin, size and root', () => {
  const verified = verifyCheckpoint(note, vkey)
  expect(verified).toEqual({
    kind: 'verified',
    checkpoint: { origin, size: 1, root: Buffer.from(root) },
  })
})

test('signs the empty ledger too', () => {
  const empty = signCheckpoint({ origin, size: 0, root: frontierRoot(emptyFrontier()), privateKey })
  expect(verifyCheckpoint(empty, vkey).kind).toBe('verified')
})

test('writes origin, size and root as three lines, a blank line and one signature line', () => {
  const lines = note.split('\n')
  expect(lines.slice(0, 4)).toEqual([origin, '1', Buffer.from(root).toString('base64'), ''])
  expect(lines[4]?.startsWith(`— ${origin} `)).toBe(true)
  expect(lines.slice(5)).toEqual([''])
})

test('refuses the note after a change of any single bit', () => {
  const bytes = Buffer.from(note)
  let accepted = 0
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    if (verifyCheckpoint(changed.toString('utf8'), vkey).kind === 'verified') accepted += 1
  }
  expect(accepted).toBe(0)
})

test('refuses the note of another key, even under the name and key hash of the expected one', () => {
  const foreign = signCheckpoint({ origin, size: 1, root, privateKey: fixedKey(2) })
  expect(verifyCheckpoint(foreign, vkey)).toEqual({
    kind: 'refused',
    reason: 'the checkpoint is not signed by this key',
  })
  const ownHash = signatureBytes(note).subarray(0, 4)
  const forgedBytes = Buffer.concat([ownHash, signatureBytes(foreign).subarray(4)]).toString('base64')
  const forged = foreign.replace(/— .*\n$/u, `— ${origin} ${forgedBytes}\n`)
  expect(verifyCheckpoint(forged, vkey)).toEqual({
    kind: 'refused',
    reason: 'the signature does not match the checkpoint',
  })
})

test('leaves the signature of an unknown witness aside, but refuses a line that is no signature', () => {
  const cosigned = `${note}— witness.test ${Buffer.alloc(76, 9).toString('base64')}\n`
  expect(verifyCheckpoint(cosigned, vkey).kind).toBe('verified')
  expect(verifyCheckpoint(`${note}seen by witness.test\n`, vkey).kind).toBe('refused')
})

test('refuses notes with a padded size, a short root, an extra line or no signature', () => {
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const tail = note.slice(text.length)
  const short = Buffer.alloc(31).toString('base64')
  for (const damaged of [
    note.replace('\n1\n', '\n01\n'),
    note.replace('\n1\n', '\n99999999999999999999\n'),
    `${origin}\n1\n${short}\n${tail}`,
    `${text}more\n${tail}`,
    `${text}\n`,
    text,
    note.slice(0, -1),
  ]) {
    expect(parseCheckpoint(damaged).kind, JSON.stringify(damaged)).toBe('refused')
  }
})

test('refuses a verifier key whose hash does not belong to its bytes', () => {
  const [name, hash, bytes] = vkey.split('+')
  const changed = `${name}+${hash?.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}+${bytes}`
  expect(verifyCheckpoint(note, changed)).toEqual({
    kind: 'refused',
    reason: 'the verifier key has an unknown form',
  })
})

test('does not sign under a name with a space or a plus sign, for a size below zero, or with another kind of key', () => {
  expect(() => signCheckpoint({ origin: 'a b', size: 1, root, privateKey })).toThrow('cannot name')
  expect(() => signCheckpoint({ origin: 'a+b', size: 1, root, privateKey })).toThrow('cannot name')
  expect(() => signCheckpoint({ origin, size: -1, root, privateKey })).toThrow(RangeError)
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  expect(() => signCheckpoint({ origin, size: 1, root, privateKey: elliptic })).toThrow('Ed25519')
})

function signatureBytes(signed: string): Buffer {
  return Buffer.from(signed.trimEnd().split(' ').at(-1) ?? '', 'base64')
}

function fixedKey(fill: number) {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, fill),
  ])
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
}
