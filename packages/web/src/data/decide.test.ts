import {
  type ApprovalSubject,
  type ApprovalView,
  CountersignError,
  canonicalText,
  type DecideApproval,
  idFrom,
  ruleText,
  sealText,
  subjectText,
  whatText,
  whyText,
} from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { createDecider, type DeciderPorts, outcomeWords } from './decide.ts'
import { sha256Hex } from './digest.ts'
import type { Passkeys } from './passkey.ts'

const one = '1'.repeat(32)
const device = idFrom('dev', one)
const time = '2026-03-10T12:00:00.000Z'
const named = {
  id: idFrom('apr', one),
  session: idFrom('ses', one),
  run: idFrom('run', one),
  call: idFrom('call', one),
}

/** A subject and its card, by tier, of one another. */
const sound = new Map(
  await Promise.all(
    ([2, 3, 4] as const).map(async (tier) => {
      const card = {
        headline: 'Send it',
        tier,
        tool: 'send',
        args: '{}',
        chain: [
          { kind: 'operator' as const, id: 'desk', name: 'desk' },
          { kind: 'agent' as const, id: 'assistant', name: 'Assistant' },
          { kind: 'run' as const, id: named.run, name: 'run' },
          { kind: 'tool' as const, id: 'send', name: 'send' },
        ],
        preview: { kind: 'text' as const, title: 'It', text: 'words' },
        effects: [],
        why: { reason: 'asked', rules: [], raised: [] },
      }
      const { id: approval, ...rest } = named
      const subject: ApprovalSubject = {
        v: 2,
        audience: { executor: idFrom('exe', one), key: 'a'.repeat(64) },
        gateway: { id: idFrom('gw', one), epoch: 1 },
        operator: idFrom('op', one),
        tool: { name: 'send', version: '1', definition: 'b'.repeat(64), effect: 'once' },
        args: '{}',
        argsHash: await sha256Hex('{}'),
        resources: [],
        sandbox: 'none',
        egress: 'none',
        secrets: [],
        hidden: [],
        own: [],
        provenance: { integrity: 'operator', confidentiality: 'public', sources: [] },
        cause: 'a message',
        ...rest,
        turn: 1,
        agent: 'assistant',
        requester: { kind: 'operator', id: 'desk' },
        policy: 'c'.repeat(64),
        decision: 'ask',
        rules: [],
        tier,
        approvers: ['operator'],
        approval,
        grant: null,
        chain: card.chain,
        what: await sha256Hex(whatText(card)),
        why: await sha256Hex(whyText(card)),
        createdAt: time,
        notAfter: '2026-03-17T12:00:00.000Z',
        maxUses: 1,
        nonce: 'd'.repeat(32),
        key: 'key',
      }
      const digest = await sha256Hex(subjectText(subject))
      return [tier, { card, digest, subject: canonicalText(subject) }] as const
    }),
  ),
)
const partsOf = (tier: 2 | 3 | 4) => sound.get(tier) ?? ({} as never)
const { digest } = partsOf(3)

function approval(tier: 2 | 3 | 4, more: Partial<ApprovalView> = {}): ApprovalView {
  const { card, digest } = partsOf(tier)
  return {
    ...named,
    digest,
    state: 'pending',
    card,
    expiresAt: time,
    receipt: 'You approved it.',
    decidedBy: null,
    ...more,
  } as unknown as ApprovalView
}

interface Heard {
  readonly sent: DecideApproval[]
  readonly proved: string[]
  unconfirmed: number
}

function bench(
  options: {
    subject?: string
    tier?: 2 | 3 | 4
    answers?: (Error | 'ok')[]
    now?: ApprovalView
    credentials?: string[]
    passkeys?: Partial<Passkeys>
  } = {},
) {
  const heard: Heard = { sent: [], proved: [], unconfirmed: 0 }
  const answers = [...(options.answers ?? [])]
  const ports: DeciderPorts = {
    client: {
      approval: async () =>
        ({
          approval: options.now ?? approval(options.tier ?? 3),
          subject: options.subject ?? partsOf(options.tier ?? 3).subject,
        }) as never,
      decide: async (_ref: string, verdict: DecideApproval) => {
        heard.sent.push(verdict)
        const answer = answers.shift() ?? 'ok'
        if (answer !== 'ok') throw answer
        return { approval: approval(3), grant: null, ledger: 7 } as never
      },
    } as unknown as DeciderPorts['client'],
    signer: {
      device,
      gateway: idFrom('gw', '1'.repeat(32)),
      sign: async (text) => `signed ${text}`,
      proves: async () => true,
      hash: async () => '',
      nonce: () => '',
      now: () => new Date(time),
    },
    passkeys: {
      problem: () => null,
      make: async () => ({ kind: 'cancelled' }),
      prove: async (text, credentials) => {
        heard.proved.push(text)
        return {
          kind: 'done',
          value: {
            credential: credentials[0] ?? '',
            authenticatorData: 'a',
            clientData: 'c',
            signature: 's',
          },
        }
      },
      ...options.passkeys,
    },
    credentials: async () => options.credentials ?? ['cred'],
    wait: (ms) => (ms === 2_000 ? new Promise(() => undefined) : Promise.resolve()),
    chance: () => 0,
  }
  return { decider: createDecider(ports), heard, onUnconfirmed: () => void (heard.unconfirmed += 1) }
}

const lost = () => new CountersignError('gateway_unreachable', 'Away.')

describe('approve', () => {
  test('sends what was shown, without a seal, up to tier 2', async () => {
    const { decider, heard } = bench({ tier: 2 })
    expect((await decider.approve(approval(2), { grant: { scope: 'run' } })).kind).toBe('decided')
    const { digest } = partsOf(2)
    expect(heard.sent).toEqual([{ verdict: 'approve', digest, grant: { scope: 'run' } }])
  })

  test('seals tier 3 with the key of this browser, over the digest that it computed', async () => {
    const { decider, heard } = bench()
    await decider.approve(approval(3))
    expect(heard.sent[0]).toMatchObject({
      digest,
      seal: { by: 'device', device, decidedAt: time, signature: `signed ${sealText(digest, device, time)}` },
    })
  })

  test('sends nothing where the subject is not the one that was shown', async () => {
    const { decider, heard } = bench({ subject: '{"v":2}' })
    const outcome = await decider.approve(approval(3))
    expect(outcome.kind).toBe('changed')
    expect(heard.sent).toEqual([])
  })

  test('sends nothing where the card on the page is not the card of the subject', async () => {
    const { decider, heard } = bench({ tier: 2 })
    const shown = approval(2)
    const other = { ...shown, card: { ...shown.card, headline: 'Send something else' } }
    expect(await decider.approve(other)).toEqual({
      kind: 'changed',
      problem: 'its card is not the card of its subject',
    })
    expect(heard.sent).toEqual([])
  })

  test('has a passkey prove a rule that is broad, and no other', async () => {
    const { decider, heard } = bench({ tier: 2 })
    const rule = { scope: 'rule', stop: 'target', where: 'agent', days: 30, maxUses: null } as const
    await decider.approve(approval(2), { grant: rule })
    expect(heard.proved).toEqual([])
    await decider.approve(approval(2), { grant: { ...rule, stop: 'tool' } })
    expect(heard.proved).toEqual([ruleText(named.id, partsOf(2).digest, { ...rule, stop: 'tool' })])
    expect(heard.sent[1]).toMatchObject({ proof: { credential: 'cred' } })
  })

  test('has a passkey prove tier 4 for exactly this digest', async () => {
    const { decider, heard } = bench({ tier: 4 })
    await decider.approve(approval(4))
    expect(heard.proved).toEqual([sealText(partsOf(4).digest, 'cred', time)])
    expect(heard.sent[0]).toMatchObject({ seal: { by: 'passkey', credential: 'cred' } })
  })

  test('never falls back to a device at tier 4', async () => {
    const none = bench({ tier: 4, credentials: [] })
    expect((await none.decider.approve(approval(4))).kind).toBe('impossible')
    const closed = bench({ tier: 4, passkeys: { prove: async () => ({ kind: 'cancelled' }) } })
    expect((await closed.decider.approve(approval(4))).kind).toBe('cancelled')
    expect([...none.heard.sent, ...closed.heard.sent]).toEqual([])
  })
})

describe('delivery', () => {
  test('sends the same decision again when no answer came, and says that it is not confirmed', async () => {
    const { decider, heard, onUnconfirmed } = bench({ answers: [lost(), 'ok'] })
    expect((await decider.approve(approval(3), { onUnconfirmed })).kind).toBe('decided')
    expect(heard.sent[0]).toEqual(heard.sent[1])
    expect(heard.unconfirmed).toBe(1)
  })

  test('calls it pending after every attempt was lost, never decided', async () => {
    const { decider, heard } = bench({ answers: [lost(), lost(), lost(), lost(), 'ok'] })
    const outcome = await decider.deny(approval(2), { reason: 'no' })
    expect(outcome).toEqual({ kind: 'unconfirmed' })
    expect(outcomeWords(outcome)).toBe(
      'The gateway did not confirm the decision. The request is still pending.',
    )
    expect(heard.sent).toHaveLength(4)
  })

  test('says who was quicker', async () => {
    const now = approval(3, { state: 'approved', decidedBy: 'you, on the terminal' })
    const { decider } = bench({ answers: [new CountersignError('conflict', 'Decided.')], now })
    const outcome = await decider.approve(approval(3))
    expect(outcomeWords(outcome)).toBe('This request was already approved. Decided by you, on the terminal.')
  })

  test('does not try again what was refused', async () => {
    const { decider, heard } = bench({ tier: 2, answers: [new CountersignError('step_up_needed', 'No.')] })
    expect((await decider.approve(approval(2))).kind).toBe('refused')
    expect(heard.sent).toHaveLength(1)
  })
})
