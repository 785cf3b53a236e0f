import { autonomyText, type PasskeyProof, type SafetySetting } from '@countersign/contract'
import { expect, test } from 'vitest'
import type { Passkeys } from '../../data/passkey.ts'
import { proveSafety } from './safety-proof.ts'

const gateway = `gw_${'0'.repeat(32)}`
const at = '2026-11-15T10:00:00.000Z'
const before: SafetySetting = { level: 'low', monthlyUsd: 10, unattendedUsd: 0 }
const value: PasskeyProof = { credential: 'c', authenticatorData: '', clientData: '', signature: '' }

function ports(outcome: Awaited<ReturnType<Passkeys['prove']>>) {
  const asked: string[] = []
  const prove: Passkeys['prove'] = async (text) => {
    asked.push(text)
    return outcome
  }
  const passkeys = { prove } as Passkeys
  return { asked, parts: { passkeys, gateway, now: () => new Date(at) } }
}

test.each<Partial<SafetySetting>>([{ level: 'medium' }, { monthlyUsd: 11 }, { unattendedUsd: 1 }])(
  'asks the passkey for exactly what is loosened: %j',
  async (change) => {
    const { asked, parts } = ports({ kind: 'done', value })
    const after = { ...before, ...change }
    expect(await proveSafety(parts, before, after)).toEqual({ proof: { at, passkey: value } })
    expect(asked).toEqual([autonomyText({ gateway, before, after, at })])
  },
)

test.each<Partial<SafetySetting>>([{}, { level: 'none' }, { monthlyUsd: 3 }])(
  'asks for nothing where nothing is loosened: %j',
  async (change) => {
    const { asked, parts } = ports({ kind: 'cancelled' })
    expect(await proveSafety(parts, before, { ...before, ...change })).toEqual({})
    expect(asked).toEqual([])
  },
)

test('says what to do when the passkey did not prove it', async () => {
  const after = { ...before, monthlyUsd: 100 }
  await expect(proveSafety(ports({ kind: 'cancelled' }).parts, before, after)).rejects.toThrow('Try again')
  const impossible = ports({ kind: 'impossible', reason: 'This browser has no passkeys.' })
  await expect(proveSafety(impossible.parts, before, after)).rejects.toThrow('no passkeys')
})
