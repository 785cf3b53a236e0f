/**
 * Owns a request of the C2SP tlog-witness protocol: the size that the witness cosigned last, the proof that the new
 * checkpoint continues it, and the checkpoint.
 */
import { plainSize, readNote } from './signed-note.ts'

export interface AddCheckpoint {
  readonly old: number
  readonly proof: readonly string[]
  /** The checkpoint as its log signed it. */
  readonly note: string
}

/** As the protocol bounds it. */
export const mostProofLines = 63
export const largestAddCheckpoint = 32 * 1024
/** Of the answer that says another size than was meant. */
export const sizeContentType = 'text/x.tlog.size'

export function addCheckpointBody({ old, proof, note }: AddCheckpoint): string {
  return `old ${old}\n${proof.map((hash) => `${hash}\n`).join('')}\n${note}`
}

/** Undefined for another form; whether the note has its form is asked of it later. */
export function readAddCheckpoint(body: string): AddCheckpoint | undefined {
  const blank = body.indexOf('\n\n')
  if (blank < 0) return undefined
  const [first = '', ...proof] = body.slice(0, blank).split('\n')
  const old = first.startsWith('old ') ? plainSize(first.slice(4)) : undefined
  const note = body.slice(blank + 2)
  if (old === undefined || proof.length > mostProofLines || typeof readNote(note) === 'string')
    return undefined
  return proof.every((hash) => /^[A-Za-z0-9+/]{43}=$/.test(hash)) ? { old, proof, note } : undefined
}
