/** Owns what a trial is: one example, really run, looked at from outside, and taken back if the tool says how. */
import { type Effect, type JsonObject, ToolResult } from '@countersign/contract'
import type { EffectsResult } from '@countersign/tools'
import type { Difference } from './difference.ts'
import type { Example } from './example.ts'

export type Trial =
  /** The tool said that it cannot be done, or was not let. */
  | { readonly kind: 'stopped'; readonly reason: string; readonly fix: string }
  | {
      readonly kind: 'done'
      readonly result: ToolResult
      readonly effects: readonly Effect[]
      readonly difference: Difference
      /** What differed afterwards, in words. */
      readonly changed: readonly string[]
      readonly taking: UndoTrial
      /** What it threw instead of ending with a result. */
      readonly threw: string | null
    }

export type UndoTrial =
  | { readonly kind: 'none' }
  /** What is left differs only where a program of the tool wrote, which nobody named. */
  | { readonly kind: 'restored'; readonly left: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string }
  /** What is not as it was. */
  | { readonly kind: 'differs'; readonly what: readonly string[] }

/** Where a tool can be inspected and tried. */
export interface TrialEnvironment {
  /** In words, such as the name of the sandbox. */
  readonly where: string
  /** Rejects with what `effects` threw. */
  effects(args: JsonObject): Promise<EffectsResult>
  attempt(example: Example): Promise<Trial>
  close(): Promise<void>
}

export const longestTrialMs = 60_000

/** The work goes on if it must, but nobody waits for it. */
export async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'late'> {
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      end.abort()
      resolve('late')
    }, longestTrialMs)
  })
  try {
    return await Promise.race([work(end.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

export const tooLate: Trial = {
  kind: 'stopped',
  reason: `It did not end within ${longestTrialMs / 1000} s.`,
  fix: 'Heed the signal that `run` is given, and ask for less.',
}

/** What is wrong with the shape of a result; nothing if it is sound. */
export function resultProblem(result: ToolResult): string | undefined {
  const issue = ToolResult.safeParse(result).error?.issues[0]
  return issue && `${issue.path.join('.')} ${issue.message}`
}
