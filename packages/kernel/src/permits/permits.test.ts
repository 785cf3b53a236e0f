import { type ApprovalSubject, sealText, type Tier } from '@countersign/contract'
import { digestOf, generateKey, publicKeyOf, verifyText } from '@countersign/contract/node'
import { expect, it } from 'vitest'
import { createPermits } from './permits.ts'

const key = generateKey()
const { mint } = createPermits({ gateway: 'gw_1', key })
const at = new Date('2026-01-01T00:00:00.000Z')
const subjectOf = (tier: Tier) => ({ v: 2, tier, args: '{}' }) as unknown as ApprovalSubject

it.each([0, 1, 2] as const)('seals a call of tier %i with the key of the gateway', (tier) => {
  const { permit, digest } = mint(subjectOf(tier), at)
  expect(digest).toBe(digestOf(subjectOf(tier)))
  expect(permit).toMatchObject({
    subject: subjectOf(tier),
    seal: { by: 'gateway', decidedAt: at.toISOString() },
  })
  const text = sealText(digest, 'gw_1', at.toISOString())
  expect(verifyText(publicKeyOf(key.publicKey), text, permit.seal.signature)).toBe(true)
})

it.each([3, 4] as const)('refuses to seal a call of tier %i, which only a person can', (tier) => {
  expect(() => mint(subjectOf(tier), at)).toThrow(expect.objectContaining({ code: 'step_up_needed' }))
})
