/** Owns what an approver is shown. A card is rendered by trusted code from canonical bytes, never by a model. */
import { z } from 'zod'
import { Chain } from './chain.ts'
import { RuleRef } from './decision.ts'
import { Effect } from './effect.ts'
import { ApprovalId, CallId, RunId, SessionId } from './ids.ts'
import { Tier } from './trust.ts'

export const Preview = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), title: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('shell'), command: z.string(), cwd: z.string(), sandbox: z.string() }),
  z.strictObject({
    kind: z.literal('http'),
    method: z.string(),
    url: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  }),
  z.strictObject({ kind: z.literal('write'), path: z.string(), content: z.string() }),
  z.strictObject({ kind: z.literal('code'), title: z.string(), language: z.string(), code: z.string() }),
  z.strictObject({
    kind: z.literal('table'),
    title: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
  }),
])
export type Preview = z.infer<typeof Preview>

export const GrantOption = z.strictObject({
  scope: z.enum(['once', 'run', 'session', 'time', 'rule']),
  sentence: z.string(),
})
export type GrantOption = z.infer<typeof GrantOption>

/** What the card says about the call. The hash `what` of the subject covers it, and the executor builds it again. */
export const CardWhat = z.strictObject({
  tool: z.string(),
  /** The canonical arguments, as in the subject. */
  args: z.string(),
  headline: z.string(),
  preview: Preview,
  effects: z.array(Effect),
})
export type CardWhat = z.infer<typeof CardWhat>

/** Why it is asked. The hash `why` of the subject covers it; only the gateway knows it. */
export const CardWhy = z.strictObject({
  reason: z.string(),
  rules: z.array(RuleRef),
  raised: z.array(z.string()),
})
export type CardWhy = z.infer<typeof CardWhy>

/** What is shown before a decision. Tier and chain stand in the subject too. */
export const Card = z.strictObject({ ...CardWhat.shape, tier: Tier, chain: Chain, why: CardWhy })
export type Card = z.infer<typeof Card>

export const ApprovalState = z.enum(['pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded'])
export type ApprovalState = z.infer<typeof ApprovalState>

/** One question of the operator about a card, and what the agent said. Unverified; shown fenced. */
export const Exchange = z.strictObject({ question: z.string(), answer: z.string(), at: z.string() })
export type Exchange = z.infer<typeof Exchange>

/** Why a card asks, and what would make it stop, each in one sentence. */
export const Asking = z.strictObject({ why: z.string(), stops: z.string() })
export type Asking = z.infer<typeof Asking>

export const ApprovalView = z.strictObject({
  id: ApprovalId,
  code: z.string(),
  state: ApprovalState,
  digest: z.string(),
  card: Card,
  /** In each language. */
  asks: z.strictObject({ en: Asking, de: Asking }),
  /** The model's own words. Unverified; shown fenced. */
  agentSays: z.string(),
  asked: z.array(Exchange),
  /** The request that this one took the place of, after an edit. */
  replaces: ApprovalId.nullable(),
  options: z.array(GrantOption),
  session: SessionId,
  run: RunId,
  call: CallId,
  createdAt: z.string(),
  expiresAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  receipt: z.string().nullable(),
})
export type ApprovalView = z.infer<typeof ApprovalView>
