import {
  type Autonomy,
  autonomyText,
  idFrom,
  type PasskeyProof,
  type ReadSetupAnswer,
  type SafetyProof,
  type SafetySetting,
} from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { type SafetyStepParts, safetyStep } from './safety-step.ts'

const operator = idFrom('op', '1'.repeat(32))
const gateway = idFrom('gw', '2'.repeat(32))
const by = { operator, actor: { kind: 'operator', id: 'laptop' } } as const
const now = new Date('2026-11-15T10:00:00.000Z')
const start: SafetySetting = { level: 'low', monthlyUsd: 10, unattendedUsd: 0 }

/** Its proof names the text. */
const passkeyFor = (text: string): PasskeyProof => ({
  credential: 'c',
  authenticatorData: '',
  clientData: Buffer.from(text).toString('base64'),
  signature: '',
})

function open(hasPasskey: boolean, monthly: number | null = start.monthlyUsd) {
  const set = { level: start.level as Autonomy, monthlyUsd: monthly, unattendedUsd: start.unattendedUsd }
  const budgets = {
    list: async () => [
      ...(set.monthlyUsd === null ? [] : [{ name: 'global:month', hard: true, limitUsd: set.monthlyUsd }]),
      { name: 'unattended:month', hard: true, limitUsd: set.unattendedUsd },
    ],
    async set(_operator: unknown, { scope, limitUsd }: { scope: string; limitUsd: number }) {
      if (scope === 'global') set.monthlyUsd = limitUsd
      else set.unattendedUsd = limitUsd
    },
  } as unknown as SafetyStepParts['budgets']
  const step = safetyStep({
    autonomy: {
      current: () => set.level,
      fixed: () => null,
      moved: () => undefined,
      async set(level) {
        set.level = level
      },
    },
    loadLevel: async () => undefined,
    budgets,
    act: async () => 1,
    gateway,
    hasPasskey: async () => hasPasskey,
    proves: async (proof, text) => Buffer.from(proof.clientData, 'base64').toString() === text,
    clock: () => now,
  })
  const answer = ({ level, monthlyUsd, unattendedUsd }: SafetySetting, proof?: SafetyProof) => {
    const given: ReadSetupAnswer<'safety'> = {
      choice: 'custom',
      level,
      monthlyUsd,
      unattendedUsd,
      ...(proof ? { proof } : {}),
    }
    return step.answer(by, given, { state: 'todo', at: null, notes: {} }, new AbortController().signal)
  }
  return { set, answer }
}

function proofOf(after: SafetySetting, at = now.toISOString(), before = start): SafetyProof {
  return { at, passkey: passkeyFor(autonomyText({ gateway, before, after, at })) }
}

const looser: SafetySetting[] = [
  { ...start, level: 'medium' },
  { ...start, monthlyUsd: 11 },
  { ...start, unattendedUsd: 1 },
  { level: 'none', monthlyUsd: 1, unattendedUsd: 1 },
]

describe('a looser setting', () => {
  test.each(looser)('needs the proof of a passkey, once there is one: %j', async (after) => {
    const { set, answer } = open(true)
    await expect(answer(after)).rejects.toMatchObject({
      code: 'step_up_needed',
      next: expect.stringContaining('web app'),
    })
    expect(set).toEqual(start)
    await answer(after, proofOf(after))
    expect(set).toEqual(after)
  })

  test.each(looser)('needs none while there is no passkey: %j', async (after) => {
    const { set, answer } = open(false)
    await answer(after)
    expect(set).toEqual(after)
  })

  test('is not proven by what was proven of another setting, of another beginning, or long ago', async () => {
    const [after = start, other = start] = looser
    const { set, answer } = open(true)
    const stale = new Date(now.getTime() - 10 * 60_000).toISOString()
    for (const proof of [
      proofOf(other),
      proofOf(after, now.toISOString(), { ...start, level: 'none' }),
      proofOf(after, stale),
      { ...proofOf(after), at: new Date(now.getTime() - 1).toISOString() },
    ])
      await expect(answer(after, proof)).rejects.toMatchObject({ code: 'step_up_needed' })
    expect(set).toEqual(start)
  })

  test('is not proven twice by the same proof', async () => {
    const [after = start] = looser
    const { answer } = open(true)
    await answer(after, proofOf(after))
    await answer(start)
    await expect(answer(after, proofOf(after))).rejects.toMatchObject({ code: 'step_up_needed' })
  })
})

test('a tighter setting needs nothing, also not the first limit', async () => {
  const tight: SafetySetting = { level: 'none', monthlyUsd: 5, unattendedUsd: 0 }
  const { set, answer } = open(true)
  await answer(tight)
  expect(set).toEqual(tight)
  const unlimited = open(true, null)
  await unlimited.answer({ ...start, monthlyUsd: 50 })
  expect(unlimited.set.monthlyUsd).toBe(50)
})
