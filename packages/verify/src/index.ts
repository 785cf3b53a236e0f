/** Verifies exported ledgers. Shares no code with the program that writes them. */
export { canonicalText } from './canonical.ts'
export { type CommandIo, exitCodes, runCommand } from './command.ts'
export type { EffectCounts } from './consistency.ts'
export type { Failure, FailureCode } from './failure.ts'
export { type ExportLine, type LedgerEntry, readLine } from './line.ts'
export { linesOf } from './lines.ts'
export { createTree, type Hash, leafOf, rootWith, type Subtree, subtreeOf, type Tree } from './merkle.ts'
export {
  keyTypes,
  openNote,
  parseKey,
  type RefusedNote,
  type SignatureCheck,
  type SignedHead,
  signatureHolds,
  type VerifierKey,
} from './note.ts'
export { describeReport, type Limit, type LimitCode, type Report } from './report.ts'
export {
  createVerifier,
  parseWitness,
  soundParts,
  type Verifier,
  type VerifierParts,
  type VerifyOptions,
  verifyLedger,
  type Witness,
} from './verifier.ts'
