import { sign } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { cosignedAt, ledgerOrigin, vkeyFor, witnessName } from '@countersign/contract'
import {
  appendLeaf,
  emptyFrontier,
  frontierRoot,
  generateKey,
  type KeyPair,
  leafHash,
  nodeWitnessMeans,
  readKey,
} from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LedgerWatch, openLedgerWatch } from './ledger-watch.ts'
import type { Pairing } from './node-home.ts'
import { makeTestFolder, pairTestNode, type TestFolder } from './testing/paired-node.ts'
import { openScriptedGateway, type ScriptedGateway } from './testing/scripted-gateway.ts'

let gateway: ScriptedGateway
let place: TestFolder
let pairing: Pairing
const now = new Date('2026-03-01T12:00:00.000Z')

beforeEach(async () => {
  gateway = await openScriptedGateway()
  place = makeTestFolder()
  pairing = await pairTestNode(gateway, place)
})
afterEach(async () => {
  await gateway.close()
  place.remove()
})

const open = (): LedgerWatch =>
  openLedgerWatch(place.paths, { pairing, keys: readKey(place.paths.key), now: () => now })

const leaf = (word: string, index: number) => leafHash(Buffer.from(`${word} ${index}`))

function rootOf(leaves: readonly Uint8Array[]): string {
  return Buffer.from(frontierRoot(leaves.reduce(appendLeaf, emptyFrontier()))).toString('base64')
}

/** As the gateway signs it, in the form of C2SP. */
async function noteOf(leaves: readonly Uint8Array[], by: KeyPair = gateway.gatewayKey): Promise<string> {
  const { trust } = gateway.identity
  const name = ledgerOrigin(trust.gateway.id, trust.operator)
  const vkey = await vkeyFor({ name, raw: by.publicKey, signs: 'checkpoints' }, nodeWitnessMeans)
  const id = Buffer.from(vkey.split('+')[1] ?? '', 'hex')
  const text = `${name}\n${leaves.length}\n${rootOf(leaves)}\n`
  const line = Buffer.concat([id, sign(null, Buffer.from(text), by.privateKey)]).toString('base64')
  return `${text}\n— ${name} ${line}\n`
}

const one = [leaf('entry', 0)]
const two = [...one, leaf('entry', 1)]
/** From one entry to two the proof is the second leaf. */
const proof = [Buffer.from(leaf('entry', 1)).toString('base64')]

describe('a node that witnesses the ledger', () => {
  it('keeps the newest checkpoint, over a restart, and cosigns it', async () => {
    expect(open().size()).toBe(0)
    const note = await noteOf(one)
    expect(await open().see({ note, from: 0, proof: [] })).toMatchObject({ type: 'witnessed', size: 1 })
    const later = await noteOf(two)
    const seen = await open().see({ note: later, from: 1, proof })
    expect(open().size()).toBe(2)
    expect(open().complaint()).toBeNull()
    if (seen.type !== 'witnessed') throw new Error(seen.reason)
    const name = witnessName(pairing.gateway, pairing.node)
    const raw = readKey(place.paths.key).publicKey
    const vkey = await vkeyFor({ name, raw, signs: 'cosignatures' }, nodeWitnessMeans)
    expect(await cosignedAt(later, seen.cosignature, vkey, nodeWitnessMeans)).toEqual(now)
  })

  it.each([
    [
      'is another history of the same size',
      async () => ({ note: await noteOf([leaf('other', 0)]), from: 1, proof: [] }),
    ],
    [
      'grew from another history',
      async () => ({ note: await noteOf([leaf('other', 0), leaf('other', 1)]), from: 1, proof }),
    ],
    ['comes without its proof', async () => ({ note: await noteOf(two), from: 1, proof: [] })],
    ['was signed by another key', async () => ({ note: await noteOf(two, generateKey()), from: 1, proof })],
    ['is empty again', async () => ({ note: await noteOf([]), from: 1, proof: [] })],
  ])('complains when what it is shown %s, and keeps complaining', async (_, shown) => {
    const first = await noteOf(one)
    await open().see({ note: first, from: 0, proof: [] })
    const complaint = await open().see(await shown())
    expect(complaint).toMatchObject({ type: 'complaint', seen: first })
    expect(open().size()).toBe(1)
    expect(open().complaint()).toEqual(complaint)
    // What comes after it does not make it good.
    expect(await open().see({ note: await noteOf(two), from: 1, proof })).toEqual(complaint)
    expect(open().size()).toBe(1)
  })

  it('complains when it cannot read what it saw', async () => {
    await open().see({ note: await noteOf(one), from: 0, proof: [] })
    writeFileSync(place.paths.witness, '{')
    expect(open().complaint()).toMatchObject({ type: 'complaint' })
    expect(await open().see({ note: await noteOf(two), from: 1, proof })).toMatchObject({ type: 'complaint' })
    rmSync(place.paths.witness)
    writeFileSync(place.paths.complaint, 'x')
    expect(open().complaint()).toMatchObject({ type: 'complaint' })
    expect(existsSync(place.paths.witness)).toBe(false)
  })
})
