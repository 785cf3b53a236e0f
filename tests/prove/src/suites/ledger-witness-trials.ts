/** Owns the trials of witnesses. Proofs are made from the definition of RFC 6962, and not by the code of the gateway. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addCheckpointBody,
  cosignedAt,
  keyIdInput,
  noteLine,
  type SeenHead,
  type ShownHead,
  vkeyFor,
  witnessStep,
} from '@countersign/contract'
import { openLogWitness } from '@countersign/contract/log-witness'
import { generateKey, nodeWitnessMeans } from '@countersign/contract/node'
import type { SuiteOptions, SuiteResult } from '../suite.ts'

const origin = 'countersign/gw_prove/op_prove'
const other = 'countersign/gw_other/op_prove'
const longest = 40

export async function tryWitnesses({
  n,
  seed,
  log,
}: Pick<SuiteOptions, 'n' | 'seed' | 'log'>): Promise<SuiteResult> {
  const random = randomFrom(seed)
  const gateway = keyFrom(random)
  const stranger = keyFrom(random)
  const key = await vkeyFor({ name: origin, raw: gateway.raw, signs: 'checkpoints' }, nodeWitnessMeans)
  const bench = {
    random,
    gateway,
    stranger,
    key,
    tallies: new Map<string, { trials: number; wrong: number }>(),
  }
  for (let at = 0; at < n; at += 1) await oneHistory(bench)
  await logWitnesses(bench, Math.max(10, Math.ceil(n / 20)))
  const all = [...bench.tallies.values()]
  for (const [name, { trials, wrong }] of bench.tallies)
    log(`ledger-witness ${name}: ${trials} trials, ${wrong} wrong`)
  return {
    n: all.reduce((sum, { trials }) => sum + trials, 0),
    failures: all.reduce((sum, { wrong }) => sum + wrong, 0),
    details: Object.fromEntries(bench.tallies),
  }
}

interface SigningKey {
  readonly key: KeyObject
  readonly raw: string
}

interface Bench {
  readonly random: () => number
  readonly gateway: SigningKey
  readonly stranger: SigningKey
  readonly key: string
  readonly tallies: Map<string, { trials: number; wrong: number }>
}

/** A ledger that grows, and everything that could be shown in the place of its growth. */
async function oneHistory(bench: Bench): Promise<void> {
  const { random, gateway } = bench
  const size = 2 + below(random, longest)
  const from = 1 + below(random, size - 1)
  const leaves = Array.from({ length: size }, () => leaf(hex(random)))
  const seen = seenOf(leaves.slice(0, from), gateway)
  const honest = shown(leaves, from, gateway)
  const step = async (name: string, given: ShownHead, wanted: 'kept' | 'complaint', memory = seen) => {
    const { kind } = await witnessStep(memory, given, bench.key, nodeWitnessMeans)
    count(bench, name, kind !== wanted)
  }

  await step('honest growth', honest, 'kept')
  await step('the same again', shown(leaves.slice(0, from), from, gateway), 'kept')
  for (let at = 0; at < from; at += 1) {
    const forked = leaves.with(at, leaf(hex(random)))
    await step('fork at an index', shown(forked, from, gateway), 'complaint')
    await step('fork of the same size', shown(forked.slice(0, from), from, gateway), 'complaint')
  }
  for (let to = 0; to < from; to += 1) {
    await step('rollback', shown(leaves.slice(0, to), to, gateway), 'complaint')
    await step(
      'rollback with the old proof',
      { ...shown(leaves.slice(0, to), to, gateway), from },
      'complaint',
    )
  }
  await step('tail cut and grown anew', shown(anew(random, leaves, from - 1), from, gateway), 'complaint')
  await step('entry left out', shown(leaves.toSpliced(below(random, from), 1), from, gateway), 'complaint', {
    ...seen,
  })
  await step(
    'entry put in',
    shown(leaves.toSpliced(below(random, from), 0, leaf('x')), from, gateway),
    'complaint',
  )
  await proofs(bench, { leaves, from, honest, step })
  const strange = { ...honest, note: noteOf(leaves, bench.stranger) }
  await step('signed by somebody else', strange, 'complaint')
  const forged = noteOf(leaves, { key: bench.stranger.key, raw: gateway.raw })
  await step('signed under a name that is not theirs', { ...honest, note: forged }, 'complaint')
  await step('of another ledger', { ...honest, note: noteOf(leaves, gateway, other) }, 'complaint')
  await step(
    'of another ledger by somebody else',
    { ...honest, note: noteOf(leaves, bench.stranger, other) },
    'complaint',
  )
  const elsewhere = { ...seen, origin: other }
  await step('of a ledger that was not seen', honest, 'complaint', elsewhere)
}

/** Proofs that belong to something else, or to nothing. */
async function proofs(
  { random }: Bench,
  given: {
    readonly leaves: readonly Buffer[]
    readonly from: number
    readonly honest: ShownHead
    readonly step: (name: string, given: ShownHead, wanted: 'complaint') => Promise<void>
  },
): Promise<void> {
  const { leaves, from, honest, step } = given
  const { proof } = honest
  await step(
    'proof with more than it needs',
    { ...honest, proof: [...proof, base64(leaf('y'))] },
    'complaint',
  )
  if (proof.length === 0) return
  const at = below(random, proof.length)
  await step('proof without one hash', { ...honest, proof: proof.toSpliced(at, 1) }, 'complaint')
  await step('proof with another hash', { ...honest, proof: proof.with(at, base64(leaf('z'))) }, 'complaint')
  await step('no proof', { ...honest, proof: [] }, 'complaint')
  if (proof.length > 1 && proof[0] !== proof[1])
    await step('proof out of order', { ...honest, proof: [...proof.slice(1), proof[0] ?? ''] }, 'complaint')
  const swapped = from > 1 ? from - 1 : from + 1
  if (swapped < leaves.length) {
    const of = proofOf(swapped, leaves).map(base64)
    if (of.join() !== proof.join())
      await step('proof from another size', { ...honest, proof: of }, 'complaint')
    await step('proof that says another size', { ...honest, from: swapped, proof: of }, 'complaint')
  }
}

/** Public witnesses: histories that come at once, to one and to two processes' worth of one file. */
async function logWitnesses(bench: Bench, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-witness-'))
  const own = generateKey()
  const name = 'witness.example/prove'
  const vkey = await vkeyFor({ name, raw: own.publicKey, signs: 'cosignatures' }, nodeWitnessMeans)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const file = join(folder, `${round}.sqlite`)
      const open = () =>
        openLogWitness({ file, name, key: own, logs: [bench.key], now: () => new Date(1_800_000_000_000) })
      const witnesses = [open(), open()]
      const trunk = Array.from({ length: 1 + below(bench.random, 12) }, () => leaf(hex(bench.random)))
      await witnesses[0]?.addCheckpoint(bodyOf(trunk, 0, bench.gateway))
      const branches = [1, 2].map(() => anew(bench.random, [...trunk, leaf('a'), leaf('b')], trunk.length))
      const requests = branches.flatMap((leaves) =>
        [trunk.length + 1, trunk.length + 2].map((size) => leaves.slice(0, size)),
      )
      const cosigned: (readonly Buffer[])[] = []
      await Promise.all(
        [...requests, ...requests].map(async (leaves, at) => {
          const answer = await witnesses[at % 2]?.addCheckpoint(bodyOf(leaves, trunk.length, bench.gateway))
          const note = noteOf(leaves, bench.gateway)
          if (answer?.status !== 200) return
          if (await cosignedAt(note, answer.body, vkey, nodeWitnessMeans)) cosigned.push(leaves)
        }),
      )
      const isOne = cosigned.every((one) => cosigned.every((two) => begins(one, two) || begins(two, one)))
      count(bench, 'two histories at once', cosigned.length === 0 || !isOne)
      const [first = trunk] = cosigned
      const rolled = await witnesses[1]?.addCheckpoint(bodyOf(trunk, 0, bench.gateway))
      count(bench, 'public rollback', rolled?.status === 200)
      const forked = anew(bench.random, [...first, leaf('c')], first.length - 1)
      const answer = await witnesses[0]?.addCheckpoint(bodyOf(forked, first.length, bench.gateway))
      count(bench, 'public fork', answer?.status === 200)
      for (const each of witnesses) each.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function bodyOf(leaves: readonly Buffer[], old: number, by: SigningKey): string {
  const proof = old === 0 || old === leaves.length ? [] : proofOf(old, leaves).map(base64)
  return addCheckpointBody({ old, proof, note: noteOf(leaves, by) })
}

function begins(short: readonly Buffer[], long: readonly Buffer[]): boolean {
  return short.length <= long.length && short.every((hash, at) => hash.equals(long[at] as Buffer))
}

/** The same up to there, and then other entries. */
function anew(random: () => number, leaves: readonly Buffer[], from: number): Buffer[] {
  return leaves.map((hash, at) => (at < from ? hash : leaf(hex(random))))
}

function count({ tallies }: Bench, name: string, isWrong: boolean): void {
  const tally = tallies.get(name) ?? { trials: 0, wrong: 0 }
  tally.trials += 1
  if (isWrong) tally.wrong += 1
  tallies.set(name, tally)
}

function seenOf(leaves: readonly Buffer[], by: SigningKey): SeenHead {
  return { origin, size: leaves.length, root: base64(rootOf(leaves)), note: noteOf(leaves, by) }
}

function shown(leaves: readonly Buffer[], from: number, by: SigningKey): ShownHead {
  const proof = from === 0 || from >= leaves.length ? [] : proofOf(from, leaves).map(base64)
  return { note: noteOf(leaves, by), from, proof }
}

function noteOf(leaves: readonly Buffer[], by: SigningKey, name = origin): string {
  const text = `${name}\n${leaves.length}\n${base64(rootOf(leaves))}\n`
  const id = sha256(keyIdInput(name, 1, Buffer.from(by.raw, 'base64'))).subarray(0, 4)
  return `${text}\n${noteLine(name, id, sign(null, Buffer.from(text), by.key))}`
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return sha256()
  if (leaves.length === 1) return only
  const split = splitOf(leaves.length)
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

function proofOf(from: number, leaves: readonly Buffer[], isWhole = true): Buffer[] {
  if (from === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const split = splitOf(leaves.length)
  return from <= split
    ? [...proofOf(from, leaves.slice(0, split), isWhole), rootOf(leaves.slice(split))]
    : [...proofOf(from - split, leaves.slice(split), false), rootOf(leaves.slice(0, split))]
}

function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

function leaf(text: string): Buffer {
  return sha256(Uint8Array.of(0), Buffer.from(text))
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64')
}

function keyFrom(random: () => number): SigningKey {
  const pkcs8 = Buffer.from(`302e020100300506032b657004220420${hex(random)}`, 'hex')
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(12)
  return { key, raw: raw.toString('base64') }
}

function below(random: () => number, end: number): number {
  return Math.floor(random() * end)
}

function hex(random: () => number): string {
  return Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('')
}

/** Mulberry32: the same seed gives the same suite. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
