/** The result of a verification, and its telling in plain words. */

import type { EffectCounts } from './consistency.ts'
import type { Failure } from './failure.ts'

export type LimitCode =
  | 'key-self-declared'
  | 'tail-truncation'
  | 'rewrite-by-key-holder'
  | 'unsigned-tail'
  | 'cosignatures-unchecked'
  | 'unrecorded'

/** Something that this verification could not have noticed. */
export interface Limit {
  readonly code: LimitCode
  readonly what: string
}

export interface Report {
  readonly ok: boolean
  readonly origin: string | undefined
  readonly key: string | undefined
  readonly keySource: 'pinned' | 'self-declared'
  readonly entries: number
  readonly checkpoints: number
  /** The last entry that a valid checkpoint covers. */
  readonly signedThrough: number
  readonly unsigned: number
  /** Tree over all entries read; `<size>:<root>` is what --witness takes. */
  readonly head: { readonly size: number; readonly root: string }
  readonly witnesses: { readonly given: number; readonly agreed: number }
  /** Witnesses whose keys were given, each with the newest size that it cosigned in this file. */
  readonly cosigned: readonly { readonly name: string; readonly size: number }[]
  readonly effects: EffectCounts
  /** The first ones; `failureCount` counts all. */
  readonly failures: readonly Failure[]
  readonly failureCount: number
  readonly limits: readonly Limit[]
}

export function describeReport(report: Report): string {
  return `${(report.ok ? describeGood(report) : describeBad(report)).join('\n')}\n`
}

function describeFailure(failure: Failure): string {
  const line = failure.line === 0 ? '' : `line ${failure.line}`
  const entry = failure.entry === undefined ? '' : `entry ${failure.entry}`
  const place = entry !== '' && line !== '' ? `${entry} (${line})` : entry || line || 'the file'
  return `${place}: ${failure.what} [${failure.code}]\n    Next: ${failure.next}`
}

function describeGood(report: Report): string[] {
  return [`Ledger verified: ${report.origin ?? ''}`, ...figures(report), ...limitLines(report)]
}

function describeBad(report: Report): string[] {
  const more = report.failureCount - report.failures.length
  return [
    `Ledger NOT verified${report.origin === undefined ? '' : `: ${report.origin}`}`,
    ...report.failures.map((failure) => `  ${describeFailure(failure)}`),
    ...(more > 0 ? [`  and ${more} more failures`] : []),
    'Before that:',
    ...figures(report),
  ]
}

function figures(report: Report): string[] {
  const { entries, checkpoints, signedThrough, unsigned, head, witnesses, cosigned, effects } = report
  const tail = unsigned === 0 ? 'nothing after it' : `${unsigned} after it are UNSIGNED`
  const source = report.keySource === 'pinned' ? 'pinned by you' : 'declared by the file itself'
  return [
    `  entries      ${entries === 0 ? 'none' : `${entries}, numbered 1 to ${entries}`}`,
    `  checkpoints  ${checkpoints}, with valid signatures and roots`,
    `  signed       ${signedThrough === 0 ? 'no entry' : `up to entry ${signedThrough}`}; ${tail}`,
    `  head         ${head.size}:${head.root}`,
    `  key          ${source}${report.key === undefined ? '' : `: ${report.key}`}`,
    `  witnesses    ${witnesses.given === 0 ? 'none given' : `${witnesses.agreed} of ${witnesses.given} agree`}`,
    ...cosigned.map(({ name, size }) => `  cosigned     up to entry ${size} by ${name}`),
    `  effects      ${effects.intended} intended: ${effects.ok} ok, ${effects.failed} failed, ${effects.refused} refused, ${effects.unknown} unknown, ${effects.open} without outcome`,
  ]
}

function limitLines(report: Report): string[] {
  return ['Not detectable by this check:', ...report.limits.map((limit) => `  - ${limit.what}`)]
}
