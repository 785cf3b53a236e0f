/** Owns making the first passkey: the authenticator makes it, this browser signs for it, the gateway files it. */

import {
  DeviceId,
  GatewayId,
  type PasskeyStatement,
  registrationText,
  statementText,
} from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useServices } from '../../environment/services.tsx'
import { words } from '../../words/setup.tsx'
import { onboardingKey } from './flow.ts'

export interface FirstPasskey {
  readonly busy: boolean
  readonly made: boolean
  readonly problem: string | null
  readonly make: (name: string) => void
}

export function useFirstPasskey(): FirstPasskey {
  const { passkeys, client, thisDevice, now } = useServices()
  const queries = useQueryClient()
  const [state, setState] = useState<Omit<FirstPasskey, 'make'>>({ busy: false, made: false, problem: null })

  async function attempt(name: string): Promise<string | null> {
    const { gateway, device } = thisDevice
    const outcome = await passkeys.make({ text: registrationText(gateway, device), name, exclude: [] })
    if (outcome.kind === 'cancelled') return words.you.cancelled
    if (outcome.kind === 'impossible') return outcome.reason
    const { credential, key, site, registration } = outcome.value
    const statement: PasskeyStatement = {
      v: 1,
      kind: 'passkey',
      gateway: GatewayId.parse(gateway),
      at: now().toISOString(),
      credential,
      key,
      name: name.slice(0, 60),
      site,
    }
    const signature = await thisDevice.sign(statementText(statement))
    await client.registerPasskey({
      signed: { statement, by: { device: DeviceId.parse(device), signature }, passkey: null },
      registration,
    })
    return null
  }

  return {
    ...state,
    make(name) {
      setState({ busy: true, made: false, problem: null })
      attempt(name).then(
        (problem) => {
          setState({ busy: false, made: problem === null, problem })
          void queries.invalidateQueries({ queryKey: onboardingKey })
        },
        (error: unknown) =>
          setState({
            busy: false,
            made: false,
            problem: error instanceof Error ? error.message : String(error),
          }),
      )
    },
  }
}
