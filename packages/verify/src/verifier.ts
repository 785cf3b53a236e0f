/** Verifies an export line by line. Stops at the first line whose place in the tree is in doubt; collects contradictions. */
import { bytesOfBase64 } from './base64.ts'
import { type Consistency, createConsistency } from './consistency.ts'
import { type Failure, type FailureCode, failureOf } from './failure.ts'
import { type ExportLine, readLine } from './line.ts'
import { createTree, type Hash, type Tree } from './merkle.ts'
import {
  keyTypes,
  openNote,
  parseKey,
  type SignatureCheck,
  signatureHolds,
  type VerifierKey,
} from './note.ts'
import type { Limit, Report } from './report.ts'

/** A head that someone else kept. */
export interface Witness {
  readonly size: number
  readonly root: Hash
}

export interface VerifyOptions {
  /** The key that the ledger must have (C2SP vkey). Without it, the header's own word is taken and reported so. */
  readonly key?: string
  readonly witnesses?: readonly Witness[]
  /** Keys of witnesses (C2SP vkeys of type 4) whose cosignatures in the file are checked. */
  readonly witnessKeys?: readonly string[]
  /** Fails when entries stand after the last checkpoint. */
  readonly strict?: boolean
}

/** The two comparisons that everything rests on, so that a test can take one away and see the suite fail. */
export interface VerifierParts {
  readonly sameRoot: (signed: Hash, computed: Hash) => boolean
  readonly signatureHolds: SignatureCheck
}

export interface Verifier {
  /** False when the verifier has stopped and further lines would not be looked at. */
  take(line: ExportLine): boolean
  finish(): Report
}

export const soundParts: VerifierParts = {
  sameRoot: (signed, computed) => signed === computed,
  signatureHolds,
}

export async function verifyLedger(
  lines: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  options: VerifyOptions = {},
  parts: VerifierParts = soundParts,
): Promise<Report> {
  const verifier = createVerifier(options, parts)
  for await (const line of lines) {
    if (!verifier.take(readLine(line))) break
  }
  return verifier.finish()
}

/** Reads `<size>:<base64 root>`. */
export function parseWitness(text: string): Witness | undefined {
  const [size, root, ...more] = text.split(':')
  if (size === undefined || root === undefined || more.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(size)) {
    return undefined
  }
  const bytes = bytesOfBase64(root)
  return bytes?.length === 32 ? { size: Number(size), root: bytes.toString('latin1') } : undefined
}

export function createVerifier(options: VerifyOptions = {}, parts: VerifierParts = soundParts): Verifier {
  const state: State = {
    options,
    parts,
    tree: createTree(),
    consistency: createConsistency(),
    witnesses: Map.groupBy(options.witnesses ?? [], (witness) => witness.size),
    failures: [],
    failureCount: 0,
    stopped: false,
    line: 0,
    key: undefined,
    checkpoints: 0,
    signedThrough: 0,
    witnessKeys: (options.witnessKeys ?? []).flatMap((vkey) => parseKey(vkey, keyTypes.witness) ?? []),
    cosigned: new Map(),
    cosignatures: 0,
    agreed: 0,
  }
  return {
    take(line) {
      if (state.stopped) return false
      state.line += 1
      takeLine(state, line)
      return !state.stopped
    },
    finish() {
      if (!state.stopped) checkEnd(state)
      return reportOf(state)
    },
  }
}

const mostFailures = 20

interface State {
  readonly options: VerifyOptions
  readonly parts: VerifierParts
  readonly tree: Tree
  readonly consistency: Consistency
  readonly witnesses: Map<number, Witness[]>
  readonly failures: Failure[]
  failureCount: number
  stopped: boolean
  line: number
  key: VerifierKey | undefined
  checkpoints: number
  signedThrough: number
  readonly witnessKeys: readonly VerifierKey[]
  /** The newest size that each of them cosigned. */
  readonly cosigned: Map<string, number>
  cosignatures: number
  agreed: number
}

function takeLine(state: State, line: ExportLine): void {
  if (line.kind === 'refused') {
    const entry = state.key === undefined ? undefined : state.tree.size() + 1
    return stop(state, line.code, `this line is refused: ${line.what}`, entry)
  }
  if (line.kind === 'header') return takeHeader(state, line)
  if (state.key === undefined) return stop(state, 'header-missing', 'the first line is not a ledger header')
  if (line.kind === 'checkpoint') return takeCheckpoint(state, state.key, line.note)

  const number = state.tree.size() + 1
  if (line.entry.seq !== number) {
    return stop(
      state,
      'entry-number',
      `entry ${number} must stand here, but it says ${line.entry.seq}`,
      number,
    )
  }
  state.tree.add(line.leaf)
  const contradiction = state.consistency.take(line.entry)
  if (contradiction !== undefined) fail(state, contradiction.code, contradiction.what, number)
  checkWitnesses(state)
}

function takeHeader(state: State, header: { readonly key: string; readonly origin: string }): void {
  if (state.line !== 1) return stop(state, 'header-repeated', 'a header may stand only in the first line')
  const pinned = state.options.key
  const key = parseKey(header.key)
  if (pinned !== undefined && header.key !== pinned) {
    return stop(state, 'key-differs', 'the header declares another key than the one you pinned')
  }
  if (key === undefined) return stop(state, 'key-form', 'the declared key is not an Ed25519 verifier key')
  if (key.name !== header.origin) return stop(state, 'key-name', 'the key is not named after the origin')
  state.key = key
  checkWitnesses(state)
}

function takeCheckpoint(state: State, key: VerifierKey, note: string): void {
  const entries = state.tree.size()
  const head = openNote(note, key, state.parts.signatureHolds, state.witnessKeys)
  if (head.kind === 'refused')
    return stop(state, head.code, `the checkpoint is refused: ${head.what}`, entries)
  if (head.size < state.signedThrough) {
    const before = `an earlier one covered ${state.signedThrough}`
    return stop(
      state,
      'checkpoint-backwards',
      `the checkpoint covers ${head.size} entries, ${before}`,
      entries,
    )
  }
  if (head.size !== entries) {
    const place = `the checkpoint covers ${head.size} entries but stands after entry ${entries}`
    return stop(state, 'checkpoint-size', place, entries)
  }
  if (!state.parts.sameRoot(head.root, state.tree.root())) {
    const span = `entries ${state.signedThrough + 1} to ${entries}`
    const what = `the signed root differs from the entries: one of the ${span} was changed, added, moved or removed`
    return stop(state, 'checkpoint-root', what, state.signedThrough + 1)
  }
  state.checkpoints += 1
  state.signedThrough = entries
  state.cosignatures += head.others
  for (const name of head.cosigners) state.cosigned.set(name, entries)
}

function checkWitnesses(state: State): void {
  for (const witness of state.witnesses.get(state.tree.size()) ?? []) {
    if (state.parts.sameRoot(witness.root, state.tree.root())) {
      state.agreed += 1
    } else {
      const what = `the tree of the first ${witness.size} entries is not the one that was witnessed`
      stop(state, 'witness-root', what, witness.size)
    }
  }
}

function checkEnd(state: State): void {
  const size = state.tree.size()
  if (state.key === undefined) return failFile(state, 'header-missing', 'the file is empty')
  if (state.checkpoints === 0) failFile(state, 'checkpoint-none', 'the file has no checkpoint')
  for (const witness of state.options.witnesses ?? []) {
    if (witness.size > size) {
      failFile(
        state,
        'witness-beyond',
        `${witness.size} entries were witnessed and only ${size} are here`,
        size + 1,
      )
    }
  }
  if (state.options.strict === true && size > state.signedThrough) {
    const what = `no checkpoint covers the entries ${state.signedThrough + 1} to ${size}`
    failFile(state, 'tail-unsigned', what, state.signedThrough + 1)
  }
}

function stop(state: State, code: FailureCode, what: string, entry?: number): void {
  fail(state, code, what, entry)
  state.stopped = true
}

function fail(state: State, code: FailureCode, what: string, entry?: number): void {
  addFailure(state, failureOf(code, { line: state.line, entry }, what))
}

function failFile(state: State, code: FailureCode, what: string, entry?: number): void {
  addFailure(state, failureOf(code, { line: 0, entry }, what))
}

function addFailure(state: State, failure: Failure): void {
  state.failureCount += 1
  if (state.failures.length < mostFailures) state.failures.push(failure)
}

function reportOf(state: State): Report {
  const size = state.tree.size()
  return {
    ok: state.failureCount === 0,
    origin: state.key?.name,
    key: state.key?.vkey,
    keySource: state.options.key === undefined ? 'self-declared' : 'pinned',
    entries: size,
    checkpoints: state.checkpoints,
    signedThrough: state.signedThrough,
    unsigned: size - state.signedThrough,
    head: { size, root: Buffer.from(state.tree.root(), 'latin1').toString('base64') },
    witnesses: { given: state.options.witnesses?.length ?? 0, agreed: state.agreed },
    cosigned: [...state.cosigned].map(([name, size]) => ({ name, size })),
    effects: state.consistency.effects(),
    failures: state.failures,
    failureCount: state.failureCount,
    limits: limitsOf(state),
  }
}

function limitsOf(state: State): Limit[] {
  const size = state.tree.size()
  const limits: Limit[] = []
  const add = (code: Limit['code'], what: string): void => void limits.push({ code, what })
  const seen = Math.max(0, ...(state.options.witnesses ?? []).map((witness) => witness.size))
  // Who cosigned would not have signed another history, but a file that is cut leaves out the newer cosignatures.
  const fixed = Math.max(seen, ...state.cosigned.values())
  if (state.options.key === undefined) {
    add(
      'key-self-declared',
      'Another key: the file names its own key, so anyone can make a file that verifies. Pass --key with the key that a paired device shows.',
    )
  }
  if (seen === 0) {
    add(
      'tail-truncation',
      'A cut tail: if entries after a checkpoint were removed together with the later checkpoints, nothing here shows it. Pass --witness with a head kept elsewhere.',
    )
  } else {
    add('tail-truncation', `A cut tail after entry ${seen}, the last one witnessed.`)
  }
  add(
    'rewrite-by-key-holder',
    fixed === 0
      ? 'A history rewritten and signed again by someone who holds the signing key.'
      : `Entries after ${fixed} rewritten by someone who holds the signing key.`,
  )
  if (size > state.signedThrough) {
    add(
      'unsigned-tail',
      `Changes to the entries ${state.signedThrough + 1} to ${size}: no checkpoint covers them yet.`,
    )
  }
  if (state.cosignatures > 0) {
    add(
      'cosignatures-unchecked',
      `Whether ${state.cosignatures} signatures by other keys are genuine: they were not checked.`,
    )
  }
  add('unrecorded', 'Anything that was never written to the ledger.')
  return limits
}
