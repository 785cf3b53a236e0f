/**
 * Owns the file of signed statements: one a line, only ever longer. Whoever writes it can neither make a statement
 * hold nor, once it was read, take one back unseen.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { parseStrict } from '../json/strict.ts'
import { SignedStatement } from '../trust-statement.ts'

export interface Statements {
  readonly signed: readonly SignedStatement[]
  /** The bytes of every whole line. */
  readonly bytes: Buffer
  /** Lines that are no statement. */
  readonly problems: readonly string[]
}

/** A missing file holds no statement. A last line without its end was never written whole and does not count. */
export function readStatements(path: string): Statements {
  const bytes = wholeLines(readOrNothing(path))
  const signed: SignedStatement[] = []
  const problems: string[] = []
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const statement = statementIn(line)
    if (statement) signed.push(statement)
    else problems.push(`line ${index + 1} of ${path} is not a statement`)
  }
  return { signed, bytes, problems }
}

/** Returns once the line is on the disk. */
export function appendStatement(path: string, signed: SignedStatement): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const handle = openSync(path, 'a+', 0o600)
  try {
    // Ends a line that a crash left open, so that it does not spoil this one.
    const start = endsOpen(handle) ? '\n' : ''
    writeSync(handle, `${start}${JSON.stringify(signed)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncFolder(dirname(path))
}

function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
}

function statementIn(line: string): SignedStatement | undefined {
  const strict = parseStrict(line)
  return strict.kind === 'value' ? SignedStatement.safeParse(strict.value).data : undefined
}

function endsOpen(handle: number): boolean {
  const { size } = fstatSync(handle)
  if (size === 0) return false
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

/** A new name in a folder is on the disk only when the folder is. Not every system lets a folder be opened. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
