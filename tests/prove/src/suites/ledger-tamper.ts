/** Changes a signed export in every way it knows and counts the changes that countersign-verify lets pass. Size: entries. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { appendLeaf, emptyFrontier, frontierRoot, leafHash } from '@countersign/contract/node'
import {
  createVerifier,
  type ExportLine,
  type Hash,
  type LimitCode,
  leafOf,
  linesOf,
  openNote,
  parseKey,
  parseWitness,
  type Report,
  readLine,
  rootWith,
  soundParts,
  subtreeOf,
  type VerifierKey,
  type VerifierParts,
  type VerifyOptions,
  verifyLedger,
  type Witness,
} from '@countersign/verify'
import { signCheckpoint, vkeyOf } from '../../../../packages/kernel/src/ledger/checkpoint.ts'
import type { Suite } from '../suite.ts'

export const ledgerTamper: Suite = {
  name: 'ledger-tamper',
  defaultSize: 1000,
  mutants: ['skip-root', 'skip-signature'],
  async run(options) {
    const { n, seed, mutant } = options
    if (n < 2) throw new RangeError('ledger-tamper needs at least two entries to exchange')
    const random = randomFrom(seed)
    const key = privateKeyFrom(seed)
    const ledger = sealed(entriesFrom(n, randomFrom(seed + 1)), key)
    const bench: Bench = {
      n,
      random,
      key,
      ledger,
      fork: sealed(entriesFrom(n, randomFrom(seed + 2)), key),
      stranger: privateKeyFrom(seed + 3),
      verifierKey: parseKey(ledger.vkey) as VerifierKey,
      witness: parseWitness(`${n}:${ledger.head}`) as Witness,
      parts: remembering(partsFor(mutant)),
      tallies: new Map(),
    }
    const steps = { control, bits, wholeFile, moves, splices, checkpoints, keys, rollbacks, rewrites }
    for (const [name, step] of Object.entries(steps)) {
      const before = totals(bench)
      await step(bench)
      const after = totals(bench)
      options.log(
        `ledger-tamper ${name}: ${after.trials - before.trials} trials, ${after.undetected - before.undetected} undetected`,
      )
    }
    const { trials, undetected } = totals(bench)
    return { n: trials, failures: undetected, details: Object.fromEntries(bench.tallies) }
  },
}

interface SealedExport {
  readonly vkey: string
  readonly header: string
  readonly entries: readonly string[]
  readonly read: readonly ExportLine[]
  readonly checkpoints: readonly Mark[]
  /** Base64 root over all entries. */
  readonly head: string
}

interface Mark {
  readonly size: number
  readonly note: string
}

interface Tally {
  trials: number
  undetected: number
  /** Let pass, as it must be with what the verifier had, and the report says so. */
  notDetectable: number
}

interface Bench {
  readonly n: number
  readonly random: () => number
  readonly key: KeyObject
  readonly ledger: SealedExport
  /** Another history under the same key and origin. */
  readonly fork: SealedExport
  readonly stranger: KeyObject
  readonly verifierKey: VerifierKey
  readonly witness: Witness
  readonly parts: VerifierParts
  readonly tallies: Map<string, Tally>
}

const origin = 'gateway.prove/ledger'
const fullProgramTrials = 300

function partsFor(mutant: string | undefined): VerifierParts {
  switch (mutant) {
    case undefined:
      return soundParts
    case 'skip-root':
      return { ...soundParts, sameRoot: () => true }
    case 'skip-signature':
      return { ...soundParts, signatureHolds: () => true }
    default:
      throw new Error(`ledger-tamper has no mutant ${mutant}`)
  }
}

/** The same checkpoint is checked in thousands of trials; its signature needs checking once. */
function remembering(parts: VerifierParts): VerifierParts {
  const known = new Map<string, boolean>()
  return {
    ...parts,
    signatureHolds(key, text, signature) {
      const der = key.export({ format: 'der', type: 'spki' })
      const name = Buffer.concat([der, signature, text]).toString('latin1')
      const holds = known.get(name) ?? parts.signatureHolds(key, text, signature)
      known.set(name, holds)
      return holds
    },
  }
}

/** The untouched export must pass, or every "detected" below would be worthless. */
async function control(bench: Bench): Promise<void> {
  const { ledger, fork, parts, witness } = bench
  const options = { key: ledger.vkey, strict: true }
  const whole = await verifyLedger(linesOf([fileOf(ledger)]), { ...options, witnesses: [witness] }, parts)
  tally(bench, 'untouched export passes', whole.ok)
  tally(bench, 'untouched export passes', (await verifyLedger(linesOf([fileOf(fork)]), options, parts)).ok)
  tally(bench, 'untouched export passes', verified(bench, placed(ledger, ledger.read), options).ok)
}

/** Every bit of every entry, against the root of the first checkpoint that covers it. */
function bits(bench: Bench): void {
  const { ledger, parts } = bench
  const leaves = ledger.entries.map((text) => leafOf(Buffer.from(text)))
  let start = 0
  for (const mark of ledger.checkpoints) {
    const tree = subtreeOf(leaves.slice(0, mark.size))
    const signed = rootOf(mark)
    for (let index = start; index < mark.size; index += 1) {
      const bytes = Buffer.from(ledger.entries[index] as string)
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        flip(bytes, bit)
        const broken = bytes[bit >> 3] === lineFeed
        const detected = broken
          ? splitIsRefused(bytes, bit >> 3)
          : !parts.sameRoot(signed, rootWith(tree, index, leafOf(bytes)))
        tally(bench, 'entry bit', detected)
        flip(bytes, bit)
      }
    }
    start = mark.size
  }
}

/** Random bits of the whole file, line ends and header included, through the program as it runs. */
async function wholeFile(bench: Bench): Promise<void> {
  const bytes = fileOf(bench.ledger)
  for (let trial = 0; trial < fullProgramTrials; trial += 1) {
    const bit = below(bench, bytes.length * 8)
    flip(bytes, bit)
    const options = { key: bench.ledger.vkey, strict: true }
    const report = await verifyLedger(linesOf([Buffer.from(bytes)]), options, bench.parts)
    tally(bench, 'file bit, whole program', !report.ok)
    flip(bytes, bit)
  }
  const headerLine = Buffer.from(bench.ledger.header)
  for (let bit = 0; bit < headerLine.length * 8; bit += 1) {
    flip(headerLine, bit)
    const lines = placed({ ...bench.ledger, header: headerLine }, bench.ledger.read)
    tally(bench, 'header bit', !verified(bench, lines, {}).ok)
    flip(headerLine, bit)
  }
}

/** Deletion, duplication and exchange at every index: as they are, and by someone who also corrects the numbers. */
function moves(bench: Bench): void {
  const { ledger, n } = bench
  const check = (kind: string, lines: Iterable<ExportLine>): void =>
    tally(bench, kind, !verified(bench, lines, { key: ledger.vkey, strict: true }).ok)
  for (let index = 0; index < n; index += 1) {
    const before = ledger.read.slice(0, index)
    const own = ledger.read[index] as ExportLine
    const after = ledger.read.slice(index + 1)
    check('deletion', placed(ledger, [...before, ...after]))
    check(
      'deletion, renumbered',
      placed(ledger, renumbered(ledger, [...order(index), ...order(n, index + 1)])),
    )
    check('duplication', placed(ledger, [...before, own, own, ...after]))
    check(
      'duplication, renumbered',
      placed(ledger, renumbered(ledger, [...order(index + 1), ...order(n, index)])),
    )
    if (index === n - 1) continue
    const [next, ...rest] = after
    check('swap', placed(ledger, [...before, next as ExportLine, own, ...rest]))
    const exchanged = [...order(index), index + 1, index, ...order(n, index + 2)]
    check('swap, renumbered', placed(ledger, renumbered(ledger, exchanged)))
  }
}

function splices(bench: Bench): void {
  const { ledger, fork, n } = bench
  const check = (kind: string, lines: Iterable<ExportLine>): void =>
    tally(bench, kind, !verified(bench, lines, { key: ledger.vkey, strict: true }).ok)
  for (let trial = 0; trial < n; trial += 1) {
    const from = below(bench, n - 1)
    const to = from + 1 + below(bench, n - from - 1)
    const middle = fork.read.slice(from, to)
    check(
      'splice into the middle',
      placed(ledger, [...ledger.read.slice(0, from), ...middle, ...ledger.read.slice(to)]),
    )
    const cut = 1 + below(bench, n - 1)
    const ours = ledger.checkpoints.filter((mark) => mark.size <= cut)
    const theirs = fork.checkpoints.filter((mark) => mark.size > cut)
    const joined = { ...ledger, checkpoints: [...ours, ...theirs] }
    check('tail of another history', placed(joined, [...ledger.read.slice(0, cut), ...fork.read.slice(cut)]))
  }
  for (const index of ledger.checkpoints.keys()) {
    const foreign = ledger.checkpoints.with(index, fork.checkpoints[index] as Mark)
    check('checkpoint of another history', placed({ ...ledger, checkpoints: foreign }, ledger.read))
    if (index === 0) continue
    const repeated = {
      ...(ledger.checkpoints[index - 1] as Mark),
      size: (ledger.checkpoints[index] as Mark).size,
    }
    const replayed = ledger.checkpoints.with(index, repeated)
    check('earlier checkpoint replayed', placed({ ...ledger, checkpoints: replayed }, ledger.read))
  }
}

/** Every bit of every checkpoint: of the line as written, and of size, root and signature written anew. */
function checkpoints(bench: Bench): void {
  for (const mark of bench.ledger.checkpoints) {
    const bytes = Buffer.from(lineOf(mark))
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      flip(bytes, bit)
      tally(bench, 'checkpoint line bit', !passesAs(bench, mark, readLine(bytes)))
      flip(bytes, bit)
    }
    const [name, size, root, blank, signature] = mark.note.split('\n') as [
      string,
      string,
      string,
      string,
      string,
    ]
    const write = (parts: readonly string[]): ExportLine =>
      readLine(lineOf({ ...mark, note: `${parts.join('\n')}\n` }))
    for (const other of sizesNear(mark.size)) {
      tally(bench, 'checkpoint size', !passesAs(bench, mark, write([name, other, root, blank, signature])))
    }
    for (const changed of everyBit(Buffer.from(root, 'base64'))) {
      const line = write([name, size, changed.toString('base64'), blank, signature])
      tally(bench, 'checkpoint root bit', !passesAs(bench, mark, line))
    }
    const sealText = signature.split(' ').at(-1) as string
    for (const changed of everyBit(Buffer.from(sealText, 'base64'))) {
      const line = write([name, size, root, blank, `— ${name} ${changed.toString('base64')}`])
      tally(bench, 'checkpoint signature bit', !passesAs(bench, mark, line))
    }
  }
}

function keys(bench: Bench): void {
  const { ledger, stranger } = bench
  const pinned = { key: ledger.vkey, strict: true }
  const substitute = sealed(ledger.entries, stranger)
  const unpinned = verified(bench, placed(substitute, ledger.read), { strict: true })
  tallyLimit(bench, 'other key, none pinned', unpinned, 'key-self-declared')
  tally(bench, 'other key, own pinned', !verified(bench, placed(substitute, ledger.read), pinned).ok)

  const underOurs = { ...substitute, header: ledger.header }
  const forged = { ...underOurs, checkpoints: substitute.checkpoints.map((mark) => underKeyId(bench, mark)) }
  for (const options of [pinned, { strict: true }]) {
    tally(bench, 'other key under our header', !verified(bench, placed(underOurs, ledger.read), options).ok)
    tally(bench, 'other key under our key id', !verified(bench, placed(forged, ledger.read), options).ok)
  }
}

/** A cut tail: plain after every entry, which leaves no trace at a checkpoint, unless someone kept the head. */
function rollbacks(bench: Bench): void {
  const { ledger, n, witness } = bench
  const key = ledger.vkey
  for (let size = 0; size < n; size += 1) {
    const kept = { ...ledger, checkpoints: ledger.checkpoints.filter((mark) => mark.size <= size) }
    const entries = ledger.read.slice(0, size)
    tallyLimit(
      bench,
      'cut tail, no witness',
      verified(bench, placed(kept, entries), { key }),
      'tail-truncation',
    )
    const report = verified(bench, placed(kept, entries), { key, witnesses: [witness] })
    tally(bench, 'cut tail, witness', !report.ok)
  }
}

/** Someone who holds the signing key changes one entry and signs the whole history again. */
function rewrites(bench: Bench): void {
  const { ledger, n, witness } = bench
  for (let trial = 0; trial < Math.min(n, 20); trial += 1) {
    const index = below(bench, n)
    const entry = JSON.parse(ledger.entries[index] as string) as Record<string, unknown>
    const changed = canonical({ ...entry, boot: 'boot_rewritten' })
    const again = sealed(ledger.entries.with(index, changed), bench.key)
    const options = { key: ledger.vkey, strict: true }
    const alone = verified(bench, placed(again, again.read), options)
    tallyLimit(bench, 'rewritten with the key, no witness', alone, 'rewrite-by-key-holder')
    const watched = verified(bench, placed(again, again.read), { ...options, witnesses: [witness] })
    tally(bench, 'rewritten with the key, witness', !watched.ok)
  }
}

function tally(bench: Bench, kind: string, detected: boolean): void {
  const known = bench.tallies.get(kind)
  const entry = known ?? { trials: 0, undetected: 0, notDetectable: 0 }
  if (known === undefined) bench.tallies.set(kind, entry)
  entry.trials += 1
  if (!detected) entry.undetected += 1
}

/** For what the verifier cannot know: letting it pass is right only if the report names the limit. */
function tallyLimit(bench: Bench, kind: string, report: Report, limit: LimitCode): void {
  const said = report.limits.some((entry) => entry.code === limit)
  tally(bench, kind, !report.ok || said)
  if (report.ok && said) (bench.tallies.get(kind) as Tally).notDetectable += 1
}

function totals(bench: Bench): { trials: number; undetected: number } {
  const sum = { trials: 0, undetected: 0 }
  for (const entry of bench.tallies.values()) {
    sum.trials += entry.trials
    sum.undetected += entry.undetected
  }
  return sum
}

function verified(bench: Bench, lines: Iterable<ExportLine>, options: VerifyOptions): Report {
  const verifier = createVerifier(options, bench.parts)
  for (const line of lines) {
    if (!verifier.take(line)) break
  }
  return verifier.finish()
}

/** Whether a changed checkpoint line would be taken in the place of the true one. */
function passesAs(bench: Bench, mark: Mark, line: ExportLine): boolean {
  if (line.kind !== 'checkpoint') return false
  const head = openNote(line.note, bench.verifierKey, bench.parts.signatureHolds)
  return head.kind === 'head' && head.size === mark.size && bench.parts.sameRoot(head.root, rootOf(mark))
}

/** Header, entries, and each checkpoint after as many entries as it covers; those that cover more come last. */
function* placed(
  ledger: { readonly header: string | Uint8Array; readonly checkpoints: readonly Mark[] },
  entries: Iterable<ExportLine>,
): Generator<ExportLine> {
  yield readLine(ledger.header)
  const waiting = [...ledger.checkpoints]
  let count = 0
  for (const entry of entries) {
    yield entry
    count += 1
    while (waiting[0]?.size === count) yield readLine(lineOf(waiting.shift() as Mark))
  }
  for (const mark of waiting) yield readLine(lineOf(mark))
}

/** The entries in another order, each given the number of its new place. */
function* renumbered(ledger: SealedExport, places: readonly number[]): Generator<ExportLine> {
  for (const [position, place] of places.entries()) {
    if (position === place) {
      yield ledger.read[place] as ExportLine
    } else {
      const entry = JSON.parse(ledger.entries[place] as string) as Record<string, unknown>
      yield readLine(canonical({ ...entry, seq: position + 1 }))
    }
  }
}

function order(end: number, start = 0): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}

function sealed(entries: readonly string[], privateKey: KeyObject): SealedExport {
  const vkey = vkeyOf({ origin, publicKey: createPublicKey(privateKey) })
  const spacing = Math.min(64, Math.ceil(entries.length / 4))
  const marks: Mark[] = []
  let frontier = emptyFrontier()
  for (const entry of entries) {
    frontier = appendLeaf(frontier, leafHash(Buffer.from(entry)))
    const { size } = frontier
    if (size % spacing === 0 || size === entries.length) {
      marks.push({ size, note: signCheckpoint({ origin, size, root: frontierRoot(frontier), privateKey }) })
    }
  }
  return {
    vkey,
    header: canonical({ format: 'countersign-ledger/1', key: vkey, origin }),
    entries,
    read: entries.map((entry) => readLine(entry)),
    checkpoints: marks,
    head: Buffer.from(frontierRoot(frontier)).toString('base64'),
  }
}

function fileOf(ledger: SealedExport): Buffer {
  const lines = [ledger.header]
  for (const [index, entry] of ledger.entries.entries()) {
    lines.push(entry)
    lines.push(...ledger.checkpoints.filter((mark) => mark.size === index + 1).map(lineOf))
  }
  return Buffer.from(`${lines.join('\n')}\n`)
}

function lineOf(mark: Mark): string {
  return canonical({ checkpoint: mark.note })
}

function rootOf(mark: Mark): Hash {
  return Buffer.from(mark.note.split('\n')[2] as string, 'base64').toString('latin1')
}

function underKeyId(bench: Bench, mark: Mark): Mark {
  const [text, seal] = mark.note.split(`— ${origin} `) as [string, string]
  const bytes = Buffer.from(seal, 'base64')
  bytes.write(bench.verifierKey.id, 0, 'latin1')
  return { ...mark, note: `${text}— ${origin} ${bytes.toString('base64')}\n` }
}

function sizesNear(size: number): string[] {
  return [size - 1, size + 1, 0, size * 2, 2 ** 53, `0${size}`, `+${size}`, `${size}.0`, `${size} `].map(
    String,
  )
}

function* everyBit(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    flip(bytes, bit)
    yield Buffer.from(bytes)
    flip(bytes, bit)
  }
}

function flip(bytes: Buffer, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
}

/** A bit that becomes a line feed cuts the entry in two lines. */
function splitIsRefused(bytes: Buffer, at: number): boolean {
  return [bytes.subarray(0, at), bytes.subarray(at + 1)].some((half) => readLine(half).kind === 'refused')
}

const lineFeed = 10

/** Calls of every tier with their decisions, approvals, intents and outcomes, as a gateway would record them. */
function entriesFrom(n: number, random: () => number): string[] {
  const entries: string[] = []
  const id = (prefix: string): string => `${prefix}_${hexOf(random, 12)}`
  const boot = id('boot')
  const session = id('ses')
  let at = Date.UTC(2026, 0, 5, 8)
  const write = (type: string, actor: string, fields: Record<string, unknown>): void => {
    at += Math.floor(random() * 4000)
    const seq = entries.length + 1
    const common = { v: 1, seq, at: new Date(at).toISOString(), boot, operator: 'op_3f9a51c07be2', session }
    if (seq <= n)
      entries.push(canonical({ ...common, type, actor: { kind: actor, id: `${actor}_main` }, ...fields }))
  }
  while (entries.length < n) {
    const tier = Math.floor(random() * 5)
    const call = id('call')
    const run = id('run')
    const approval = id('apr')
    const nonce = hexOf(random, 32)
    const asks = tier >= 2 && random() < 0.8
    const basis = asks ? { approval } : tier >= 2 ? { grant: id('grant') } : {}
    const digest = hexOf(random, 64)
    write('call.proposed', 'agent', {
      run,
      call,
      data: { tool: pick(random, tools), summary: pick(random, summaries) },
    })
    if (asks) {
      write('approval.requested', 'gateway', { run, call, approval, data: { digest, tier } })
      write('approval.decided', 'operator', { run, call, approval, data: { digest, verdict: 'approved' } })
    }
    const effect = tier === 0 ? 'pure' : tier === 1 ? 'idempotent' : 'once'
    const key = hexOf(random, 32)
    write('effect.intended', 'gateway', { run, call, data: { tier, nonce, key, effect, ...basis } })
    const result = pick(random, ['ok', 'ok', 'ok', 'ok', 'failed', 'refused', 'unknown'])
    write('effect.outcome', 'executor', { run, call, data: { nonce, result, hash: hexOf(random, 64) } })
  }
  return entries
}

const tools = ['file.write', 'mail.send', 'web.fetch', 'shell.run', 'calendar.add']
const summaries = [
  'Writes notes/plan.md in the workspace (1,204 bytes)',
  'Sends the minutes to José Ñandú and Zoë, subject "Projekt Übersicht"',
  'Fetches https://example.org/status and keeps the text',
  'Runs the test command in a sandbox without network',
  'Adds “dinner 🍜 with 林さん” on 12 March at 19:30',
]

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T
}

function below(bench: Bench, end: number): number {
  return Math.floor(bench.random() * end)
}

function hexOf(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
}

function privateKeyFrom(seed: number): KeyObject {
  const secret = Buffer.from(hexOf(randomFrom(seed), 64), 'hex')
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret])
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
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
