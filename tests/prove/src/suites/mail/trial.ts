/** Owns what a part of the trials is given, and what it gives back. */
import type { SuiteOptions } from '../../suite.ts'

export interface TrialOptions extends Pick<SuiteOptions, 'n' | 'seed' | 'log'> {
  /** A file that processes of their own load first. */
  readonly mutation?: string | undefined
}

/** What must never happen, and whatever else went wrong. */
export type Wrong = 'doubled' | 'unapproved' | 'misattributed' | 'other'

export interface Part {
  readonly trials: number
  readonly wrong: readonly { readonly kind: Wrong; readonly text: string }[]
  readonly outcomes: Readonly<Record<string, number>>
}
