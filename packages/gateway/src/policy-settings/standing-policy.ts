/** Owns what the parts that were made before the kernel know of the policy in force: the level and the passkey tools. */
import type { PolicyDocument } from '@countersign/contract'
import type { AutonomyAdmin } from '../autonomy.ts'

export interface StandingPolicy {
  /**
   * What holds for calls now. A tool that no longer needs the passkey does so after the next start: the executor was
   * told at its own, and believes nobody who says less meanwhile.
   */
  readonly passkeyTools: () => readonly string[]
  readonly take: (document: PolicyDocument) => void
}

export function createStandingPolicy(parts: {
  readonly autonomy: Pick<AutonomyAdmin, 'moved'>
  /** What the executor was started with. */
  readonly passkeyTools: readonly string[]
}): StandingPolicy {
  let passkeyTools = parts.passkeyTools
  return {
    passkeyTools: () => passkeyTools,
    take(document) {
      parts.autonomy.moved(document.autonomy)
      const all = [...new Set([...parts.passkeyTools, ...document.passkeyTools])]
      if (all.join() !== passkeyTools.join()) passkeyTools = all
    },
  }
}
