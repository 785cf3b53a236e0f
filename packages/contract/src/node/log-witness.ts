/**
 * Owns a witness that anybody may run, by the C2SP tlog-witness protocol: for the logs that its owner named it cosigns
 * each checkpoint that continues the last one. What it will say is on the disk before it is said, and it is put there
 * only in the place of what was judged, so that two histories are never cosigned: not by requests at once, not by two
 * processes on one file, and not when either dies.
 */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CountersignError } from '../errors.ts'
import { cosign, openSignedNote, provesGrowth, type SeenHead } from '../ledger-witness.ts'
import { type OpenNote, readNote, readNoteKey } from '../signed-note.ts'
import { readAddCheckpoint, sizeContentType } from '../tlog-witness.ts'
import { type KeyPair, signText } from './keys.ts'
import { sha256Hex } from './sha256.ts'
import { nodeWitnessMeans } from './witness-means.ts'

export interface LogWitnessOptions {
  /** The file in which it keeps what it cosigned last. */
  readonly file: string
  /** A URL without its scheme, as the specification has it. */
  readonly name: string
  readonly key: KeyPair
  /** C2SP keys of the logs; several may be of one origin. */
  readonly logs: readonly string[]
  readonly now: () => Date
}

export interface LogWitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly body: string
  readonly type: string
}

export interface LogWitness {
  addCheckpoint(body: string): Promise<LogWitnessAnswer>
  /** What it cosigned last, of each log of which it did. */
  seen(): readonly SeenHead[]
  close(): void
}

export function openLogWitness(options: LogWitnessOptions): LogWitness {
  const logs = Map.groupBy(options.logs, originOfKey)
  const kept = openKept(options.file)

  return {
    async addCheckpoint(text) {
      const request = readAddCheckpoint(text)
      const note = request && readNote(request.note)
      if (request === undefined || note === undefined || typeof note === 'string')
        return refusal(400, 'The request is not of the form of c2sp.org/tlog-witness.')
      const keys = logs.get(note.origin)
      if (keys === undefined) return refusal(404, 'This log is not among those that are witnessed here.')
      if (!(await isSignedByAny(request.note, keys)))
        return refusal(403, 'No key of this log signed the checkpoint.')
      if (request.old > note.size) return refusal(400, 'The old size is larger than that of the checkpoint.')
      const seen = kept.latest(note.origin)
      if (request.old !== seen.size || (note.size === seen.size && note.root !== seen.root))
        return conflict(seen.size)
      const growth = { from: seen, to: note, proof: request.proof }
      if (!(await provesGrowth(growth, nodeWitnessMeans.sha256)))
        return refusal(422, 'The proof does not show that the checkpoint continues the last one.')
      if (!kept.advance(seen, note, request.note)) return conflict(kept.latest(note.origin).size)
      return { status: 200, body: await cosigned(request.note), type: plainText }
    },
    seen: () => [...logs.keys()].map(kept.latest).filter(({ note }) => note !== ''),
    close: kept.close,
  }

  function cosigned(note: string): Promise<string> {
    const { name, key } = options
    const sign = (said: string) => signText(key.privateKey, said)
    return cosign({ note }, { name, raw: key.publicKey, at: options.now(), sign }, nodeWitnessMeans)
  }
}

const plainText = 'text/plain; charset=utf-8'
const emptyRoot = Buffer.from(sha256Hex(''), 'hex').toString('base64')

interface Kept {
  latest(origin: string): SeenHead
  /** Puts the new one in the place of the one that was judged. False where another one stands there by now. */
  advance(seen: SeenHead, note: OpenNote, text: string): boolean
  close(): void
}

function openKept(file: string): Kept {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(file, { timeout: 5_000 })
  chmodSync(file, 0o600)
  // On the disk, its folder too, before a statement is over.
  database.exec(`pragma synchronous = extra;
    create table if not exists seen (
      origin text primary key, size integer not null, root text not null, note text not null
    ) strict;`)
  const find = database.prepare('select note from seen where origin = ?')
  const begin = database.prepare('insert or ignore into seen (origin, size, root, note) values (?, ?, ?, ?)')
  const replace = database.prepare(
    'update seen set size = ?, root = ?, note = ? where origin = ? and size = ? and root = ?',
  )
  return {
    latest(origin) {
      const text = find.get(origin)?.['note']
      if (text === undefined) return { origin, size: 0, root: emptyRoot, note: '' }
      const note = readNote(String(text))
      if (typeof note === 'string') throw new Error(`What was cosigned of ${origin} cannot be read: ${note}.`)
      return { origin, size: note.size, root: note.root, note: String(text) }
    },
    advance(seen, note, text) {
      const { origin, size, root } = note
      const written =
        seen.note === ''
          ? begin.run(origin, size, root, text)
          : replace.run(size, root, text, origin, seen.size, seen.root)
      return written.changes === 1
    },
    close: () => database.close(),
  }
}

function originOfKey(vkey: string): string {
  const key = readNoteKey(vkey)
  if (key !== undefined) return key.name
  throw new CountersignError('usage', `This is no key of a log: ${vkey.slice(0, 100)}`, {
    next: 'Give it as name+hash+base64, as `countersign ledger verify` prints it.',
  })
}

async function isSignedByAny(note: string, keys: readonly string[]): Promise<boolean> {
  for (const key of keys)
    if ((await openSignedNote(note, key, nodeWitnessMeans)).kind === 'signed') return true
  return false
}

function refusal(status: 400 | 403 | 404 | 422, why: string): LogWitnessAnswer {
  return { status, body: `${why}\n`, type: plainText }
}

function conflict(size: number): LogWitnessAnswer {
  return { status: 409, body: `${size}\n`, type: sizeContentType }
}
