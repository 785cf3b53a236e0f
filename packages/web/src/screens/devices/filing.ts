/**
 * Owns how a change of devices leaves this browser: stated, signed by its key, proven by a passkey where that is needed,
 * and filed by the gateway. The gateway can make no statement of its own; nothing here counts before it said so.
 */

import {
  CountersignError,
  DeviceId,
  GatewayId,
  type PasskeyProof,
  type PasskeyStatement,
  registrationText,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Services, useServices } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import type { RequiredProof } from './proof.ts'

export type FilingParts = Pick<Services, 'client' | 'passkeys' | 'thisDevice' | 'now'>

export type FilingResult =
  | { readonly kind: 'filed'; readonly ledger: number }
  /** It waits for a passkey elsewhere. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly reason: string }

/** What a statement says beside whom it is for and when it was made. */
export type StatementBody = WithoutShared<TrustStatement>
type WithoutShared<T> = T extends unknown ? Omit<T, 'v' | 'gateway' | 'at'> : never

export async function fileStatement(
  parts: FilingParts,
  stated: StatementBody,
  proof: RequiredProof,
): Promise<FilingResult> {
  return attempt(async () => {
    const signed = await signStatement(parts, stated, proof)
    if (signed.kind !== 'signed') return signed
    const { ledger } = await parts.client.stateDevice(signed.value)
    return { kind: 'filed', ledger }
  })
}

export interface NewPasskey {
  readonly name: string
  /** Credentials that the authenticator may hold already. */
  readonly known: readonly string[]
}

/** The authenticator makes it, this browser signs for it, and an earlier passkey agrees where there is one. */
export async function filePasskey(
  parts: FilingParts,
  about: NewPasskey,
  proof: RequiredProof,
): Promise<FilingResult> {
  return attempt(async () => {
    const made = await makePasskey(parts, about)
    if (made.kind !== 'done') return missing(made)
    const { credential, key, site, registration } = made.value
    const stated: WithoutShared<PasskeyStatement> = {
      kind: 'passkey',
      credential,
      key,
      name: about.name,
      site,
    }
    const signed = await signStatement(parts, stated, proof)
    if (signed.kind !== 'signed') return signed
    const { statement, ...proofs } = signed.value
    if (statement.kind !== 'passkey') return { kind: 'refused', reason: words.proof.otherSigned }
    const { ledger } = await parts.client.registerPasskey({ signed: { statement, ...proofs }, registration })
    return { kind: 'filed', ledger }
  })
}

/** The authenticator makes it, and the gateway keeps it until a passkey elsewhere agrees. */
export async function askForPasskey(parts: FilingParts, about: NewPasskey): Promise<FilingResult> {
  return attempt(async () => {
    const made = await makePasskey(parts, about)
    if (made.kind !== 'done') return missing(made)
    await parts.client.requestPasskey({ ...made.value, name: about.name })
    return { kind: 'asked' }
  })
}

/** The same for a screen: one thing at a time, with a receipt or the reason. */
export function useFiling(): {
  readonly busy: boolean
  readonly state: (stated: StatementBody, proof: RequiredProof, said: string) => Promise<boolean>
  readonly register: (about: NewPasskey, proof: RequiredProof) => Promise<boolean>
  readonly ask: (about: NewPasskey) => Promise<boolean>
} {
  const services = useServices()
  const notify = useNotify()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<FilingResult>, said: string): Promise<boolean> => {
    setBusy(true)
    const filed = await work()
    setBusy(false)
    await Promise.all(
      ['devices', 'pairing', 'onboarding'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })),
    )
    if (filed.kind === 'filed') notify({ text: words.proof.done(said, filed.ledger), sealed: true })
    else if (filed.kind === 'asked') notify({ text: said })
    else
      notify(
        filed.kind === 'cancelled' ? { text: words.proof.cancelled } : { text: filed.reason, tone: 'bad' },
      )
    return filed.kind === 'filed' || filed.kind === 'asked'
  }
  return {
    busy,
    state: (stated, proof, said) => run(() => fileStatement(services, stated, proof), said),
    register: (about, proof) =>
      run(() => filePasskey(services, about, proof), words.passkey.registered(about.name)),
    ask: (about) => run(() => askForPasskey(services, about), words.passkey.asked(about.name)),
  }
}

type NothingFiled = Exclude<FilingResult, { kind: 'filed' | 'asked' }>

type SigningResult = { readonly kind: 'signed'; readonly value: SignedStatement } | NothingFiled

function makePasskey({ passkeys, thisDevice }: FilingParts, { name, known }: NewPasskey) {
  const { gateway, device } = thisDevice
  return passkeys.make({ text: registrationText(gateway, device), name, exclude: known })
}

async function signStatement(
  { passkeys, thisDevice, now }: FilingParts,
  stated: StatementBody,
  proof: RequiredProof,
): Promise<SigningResult> {
  if (proof.kind === 'impossible') return { kind: 'refused', reason: proof.reason }
  const statement: TrustStatement = {
    v: 1,
    gateway: GatewayId.parse(thisDevice.gateway),
    at: now().toISOString(),
    ...stated,
  }
  const text = statementText(statement)
  const signature = await thisDevice.sign(text)
  let passkey: PasskeyProof | null = null
  if (proof.kind === 'passkey') {
    const proved = await passkeys.prove(text, proof.credentials)
    if (proved.kind !== 'done') return missing(proved)
    passkey = proved.value
  }
  const by = { device: DeviceId.parse(thisDevice.device), signature }
  return { kind: 'signed', value: { statement, by, passkey } }
}

function missing(
  outcome: { readonly kind: 'cancelled' } | { readonly kind: 'impossible'; readonly reason: string },
): NothingFiled {
  return outcome.kind === 'cancelled' ? outcome : { kind: 'refused', reason: outcome.reason }
}

async function attempt(work: () => Promise<FilingResult>): Promise<FilingResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CountersignError)
      return { kind: 'refused', reason: `${error.message} ${error.next}`.replaceAll('`', '') }
    throw error
  }
}
