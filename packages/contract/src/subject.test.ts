import { describe, expect, test } from 'vitest'
import { digestOf } from './node/digest.ts'
import { sealText } from './permit.ts'
import { ApprovalSubject, subjectText } from './subject.ts'
import { joinLabels, type Label } from './trust.ts'

const id = '0'.repeat(32)
const hash = 'a'.repeat(64)
const subject = ApprovalSubject.parse({
  v: 2,
  audience: { executor: `exe_${id}`, key: hash },
  gateway: { id: `gw_${id}`, epoch: 1 },
  operator: `op_${id}`,
  tool: { name: 'write_file', version: '1', definition: hash, effect: 'idempotent' },
  args: '{"path":"a"}',
  argsHash: hash,
  resources: [],
  sandbox: 's',
  egress: 'e',
  secrets: [],
  hidden: [],
  own: [],
  provenance: { integrity: 'operator', confidentiality: 'public', sources: [] },
  cause: 'inp',
  session: `ses_${id}`,
  run: `run_${id}`,
  call: `call_${id}`,
  turn: 1,
  agent: 'assistant',
  requester: { kind: 'operator', id: 'desk' },
  policy: hash,
  decision: 'allow',
  rules: ['base.read'],
  tier: 1,
  approvers: ['operator'],
  approval: null,
  grant: null,
  chain: [
    { kind: 'operator', id: 'desk', name: 'desk' },
    { kind: 'agent', id: 'assistant', name: 'Assistant' },
    { kind: 'run', id: `run_${id}`, name: 'run' },
    { kind: 'tool', id: 'write_file', name: 'write_file' },
  ],
  what: hash,
  why: hash,
  createdAt: '2026-01-01T00:00:00.000Z',
  notAfter: '2026-01-01T00:10:00.000Z',
  maxUses: 1,
  nonce: id,
  key: 'call/1',
})

describe('the approval subject', () => {
  test('has a digest that is pinned, so that no change of the format goes unseen', () => {
    expect(subjectText(subject).startsWith('countersign/approval/v2\0{"agent":"assistant"')).toBe(true)
    expect(digestOf(subject)).toMatchInlineSnapshot(
      `"43fbdac6907a748c8a7d3e5bee45671539e7e9fe925f8c7ecb09d633fbaa8dd5"`,
    )
  })

  test('has another digest when any field changes', () => {
    const digest = digestOf(subject)
    expect(digestOf({ ...subject, turn: 2 })).not.toBe(digest)
    expect(digestOf({ ...subject, args: '{"path":"b"}' })).not.toBe(digest)
    expect(digestOf({ ...subject })).toBe(digest)
  })

  test.each(Object.keys(subject))('is refused without %s', (name) => {
    const { [name as keyof typeof subject]: _left, ...rest } = subject
    expect(ApprovalSubject.safeParse(rest).success).toBe(false)
  })

  test('is refused with a field or a version that nobody knows', () => {
    expect(ApprovalSubject.safeParse({ ...subject, extra: 1 }).success).toBe(false)
    expect(ApprovalSubject.safeParse({ ...subject, v: 3 }).success).toBe(false)
  })
})

test('a seal names its signer, so it cannot change hands', () => {
  expect(sealText(hash, 'dev_a', subject.createdAt)).not.toBe(sealText(hash, 'dev_b', subject.createdAt))
})

test('joining labels keeps the less trusted, the more private and every source', () => {
  const read: Label = { integrity: 'tool', confidentiality: 'private', sources: ['a'] }
  const web: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['b'] }
  const joined = { integrity: 'untrusted', confidentiality: 'private', sources: ['a', 'b'] }
  expect(joinLabels(read, web)).toEqual(joined)
  expect(joinLabels(joinLabels(web, read), read)).toMatchObject({
    integrity: 'untrusted',
    confidentiality: 'private',
  })
})
