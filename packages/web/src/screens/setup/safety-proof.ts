/** Owns asking for the passkey before the gateway is told to ask less or to spend more. Tightening needs nothing. */

import { autonomyText, isLooser, type SafetyProof, type SafetySetting } from '@countersign/contract'
import { useState } from 'react'
import { type Services, useServices } from '../../environment/services.tsx'
import { words } from '../../words/setup.tsx'

export type SafetyProofResult = { readonly proof?: SafetyProof }

export interface SafetyProving {
  readonly busy: boolean
  readonly problem: Error | null
  /** Calls `then` with the proof, or without one where none is needed; not at all when there was to be one. */
  readonly given: (after: SafetySetting, then: (proven: SafetyProofResult) => void) => void
}

/** Throws with what to do when the passkey did not prove it. */
export async function proveSafety(
  { passkeys, gateway, now }: Pick<Services, 'passkeys' | 'now'> & { readonly gateway: string },
  before: SafetySetting,
  after: SafetySetting,
): Promise<SafetyProofResult> {
  if (!isLooser(before, after)) return {}
  const at = now().toISOString()
  const outcome = await passkeys.prove(autonomyText({ gateway, before, after, at }), [])
  if (outcome.kind === 'cancelled') throw new Error(words.safety.needsPasskey)
  if (outcome.kind === 'impossible') throw new Error(outcome.reason)
  return { proof: { at, passkey: outcome.value } }
}

export function useSafetyProof(before: SafetySetting, hasPasskey: boolean): SafetyProving {
  const { passkeys, thisDevice, now } = useServices()
  const [state, setState] = useState<Omit<SafetyProving, 'given'>>({ busy: false, problem: null })
  return {
    ...state,
    given(after, then) {
      setState({ busy: true, problem: null })
      const proving = hasPasskey
        ? proveSafety({ passkeys, gateway: thisDevice.gateway, now }, before, after)
        : Promise.resolve({})
      proving.then(
        (proven) => {
          setState({ busy: false, problem: null })
          then(proven)
        },
        (error: unknown) =>
          setState({ busy: false, problem: error instanceof Error ? error : new Error(String(error)) }),
      )
    },
  }
}
