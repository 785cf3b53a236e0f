import { randomUUIDv7 } from 'node:crypto'
import { type ApprovalDetail, canonicalText, idFrom, sealText } from '@countersign/contract'
import {
  fingerprint,
  generateKey,
  type HostIdentity,
  publicKeyOf,
  recordExecutorIdentity,
  sha256Hex,
  verifyText,
} from '@countersign/contract/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvalVerdict, inspectApproval } from './seal-approval.ts'
import { testHome } from './testing/home.ts'
import { approvalDetail } from './testing/records.ts'

const home = testHome()
let identity: HostIdentity
beforeAll(() => {
  identity = home.establish()
})
afterAll(() => home.remove())

const now = new Date()
const detailOf = (tier: 2 | 3 | 4) => approvalDetail({ identity, code: 'K7Q2', tier, now })

describe('approving', () => {
  it('seals the digest of a T3 call with the device key', () => {
    const detail = detailOf(3)
    const { digest, seal } = approvalVerdict({ detail, identity, now })
    expect(digest).toBe(sha256Hex(`countersign/approval/v2\0${detail.subject}`))
    if (seal?.by !== 'device') throw new Error('no device seal')
    const key = publicKeyOf(identity.device.keys.publicKey)
    const text = sealText(digest, identity.device.id, now.toISOString())
    expect(seal).toMatchObject({ device: identity.device.id, decidedAt: now.toISOString() })
    expect(verifyText(key, text, seal.signature)).toBe(true)
    expect(verifyText(key, sealText(digest, 'dev_another', now.toISOString()), seal.signature)).toBe(false)
    expect(verifyText(publicKeyOf(generateKey().publicKey), text, seal.signature)).toBe(false)
  })

  it('approves a T2 call without a seal, once or with the grant that was asked for', () => {
    const detail = detailOf(2)
    expect(approvalVerdict({ detail, identity, now })).toEqual({
      verdict: 'approve',
      digest: detail.approval.digest,
    })
    const grant = { scope: 'run' as const, maxUses: 3 }
    expect(approvalVerdict({ detail, identity, now, grant })).toMatchObject({ grant })
  })

  it('refuses a grant that the card does not offer', () => {
    expect(() => approvalVerdict({ detail: detailOf(3), identity, now, grant: { scope: 'run' } })).toThrow(
      /cannot be allowed for longer/,
    )
  })

  it('refuses a T4 call with the reason', () => {
    expect(() => approvalVerdict({ detail: detailOf(4), identity, now })).toThrow(
      expect.objectContaining({ code: 'step_up_needed' }),
    )
  })

  it('refuses what has expired or is already decided', () => {
    const detail = detailOf(2)
    const late = new Date(now.getTime() + 31 * 60_000)
    expect(() => approvalVerdict({ detail, identity, now: late })).toThrow(
      expect.objectContaining({ code: 'expired' }),
    )
    const decided = { ...detail, approval: { ...detail.approval, state: 'denied' as const } }
    expect(() => approvalVerdict({ detail: decided, identity, now })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
  })
})

describe('inspecting', () => {
  it('finds a true record sound', () => {
    expect(inspectApproval(detailOf(3), identity).kind).toBe('sound')
  })

  it('finds a call for the gateway itself sound, as in-house tools are', () => {
    const audience = recordExecutorIdentity(identity.trust.gateway)
    expect(inspectApproval(withSubject(detailOf(3), { audience }), identity).kind).toBe('sound')
  })

  it('finds a call for a node sound that this host let in, and only for what is on it', () => {
    const node = {
      node: idFrom('node', randomUUIDv7()),
      executor: idFrom('exe', randomUUIDv7()),
      key: 'c'.repeat(64),
      name: 'laptop',
    }
    const resource = {
      type: 'node',
      ...node,
      capability: 'files',
      op: 'write',
      object: 'notes.txt',
      content: null,
    }
    const audience = { executor: node.executor, key: node.key }
    const inspected = (subject: Record<string, unknown>, nodes = [node]) =>
      inspectApproval(withSubject(detailOf(3), subject), { ...identity, nodes }).kind
    expect(inspected({ audience, resources: [resource] })).toBe('sound')
    expect(inspected({ audience, resources: [resource] }, [])).toBe('unsound')
    expect(inspected({ audience, resources: [resource] }, [{ ...node, key: 'd'.repeat(64) }])).toBe('unsound')
    expect(inspected({ audience, resources: [] })).toBe('unsound')
    // The card would name another computer.
    expect(inspected({ audience, resources: [{ ...resource, name: 'desk' }] })).toBe('unsound')
    expect(inspected({ resources: [resource] })).toBe('unsound')
  })

  const changes: [string, (detail: ApprovalDetail) => ApprovalDetail][] = [
    ['another headline', (detail) => withCard(detail, { headline: 'Read a file' })],
    ['a lower tier on the card', (detail) => withCard(detail, { tier: 2 })],
    ['another digest', (detail) => withApproval(detail, { digest: '0'.repeat(64) })],
    [
      'another run',
      (detail) =>
        withApproval(detail, { run: approvalDetail({ identity, code: 'X', tier: 2 }).approval.run }),
    ],
    ['a later expiry', (detail) => withApproval(detail, { expiresAt: '2999-01-01T00:00:00.000Z' })],
    [
      'one changed argument byte',
      (detail) => ({ ...detail, subject: detail.subject.replace('invoices', 'invoicez') }),
    ],
    ['a subject that is not canonical', (detail) => ({ ...detail, subject: ` ${detail.subject}` })],
    ['a repeated key', (detail) => ({ ...detail, subject: detail.subject.replace('{', '{"v":1,') })],
    ['an unknown field', (detail) => withSubject(detail, { extra: true })],
    [
      'another executor',
      (detail) =>
        withSubject(detail, { audience: { executor: identity.trust.executor.id, key: 'd'.repeat(64) } }),
    ],
    [
      'a house that is not the gateway',
      (detail) =>
        withSubject(detail, {
          audience: {
            ...recordExecutorIdentity(identity.trust.gateway),
            key: fingerprint(identity.trust.executor.key),
          },
        }),
    ],
    ['another operator', (detail) => withSubject(detail, { operator: `op_${'0'.repeat(32)}` })],
  ]

  it.each(changes)('refuses %s', (_what, change) => {
    expect(inspectApproval(change(detailOf(3)), identity).kind).toBe('unsound')
    expect(() => approvalVerdict({ detail: change(detailOf(3)), identity, now })).toThrow()
  })
})

function withApproval(detail: ApprovalDetail, change: Partial<ApprovalDetail['approval']>): ApprovalDetail {
  return { ...detail, approval: { ...detail.approval, ...change } }
}

function withCard(
  detail: ApprovalDetail,
  change: Partial<ApprovalDetail['approval']['card']>,
): ApprovalDetail {
  return withApproval(detail, { card: { ...detail.approval.card, ...change } })
}

/** As a forger would: the digest fits the changed subject. */
function withSubject(detail: ApprovalDetail, change: Record<string, unknown>): ApprovalDetail {
  const subject = canonicalText({ ...JSON.parse(detail.subject), ...change })
  return withApproval({ ...detail, subject }, { digest: sha256Hex(`countersign/approval/v2\0${subject}`) })
}
