/**
 * Owns what an approval binds. Every field is required and the version is closed: a subject with an unknown or
 * missing field is refused, so nothing can be approved that the approver's code does not know.
 */
import { z } from 'zod'
import { Chain } from './chain.ts'
import { Resource } from './effect.ts'
import { ApprovalId, CallId, ExecutorId, GatewayId, OperatorId, RunId, SessionId } from './ids.ts'
import { canonicalText } from './json/canonical.ts'
import { mostHidden } from './program-view.ts'
import { EffectClass, Label, Requester, Tier } from './trust.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Time = z.iso.datetime({ precision: 3 })

export const ApprovalSubject = z.strictObject({
  v: z.literal(2),
  audience: z.strictObject({ executor: ExecutorId, key: Hash }),
  gateway: z.strictObject({ id: GatewayId, epoch: z.int() }),
  operator: OperatorId,
  tool: z.strictObject({ name: z.string(), version: z.string(), definition: Hash, effect: EffectClass }),
  /** The canonical arguments in full, as text: nobody parses anything else. */
  args: z.string(),
  argsHash: Hash,
  resources: z.array(Resource),
  sandbox: z.string(),
  egress: z.string(),
  secrets: z.array(z.string()),
  /** What strangers wrote and the call does not name: it must not see these paths of the workspace, nor what is in them. */
  hidden: z.array(z.string()).max(mostHidden),
  /** What the operator called theirs: packages and histories there are not hidden. */
  own: z.array(z.string()).max(mostHidden),
  provenance: Label,
  cause: z.string(),
  session: SessionId,
  run: RunId,
  call: CallId,
  turn: z.int(),
  agent: z.string(),
  requester: Requester,
  policy: Hash,
  decision: z.enum(['allow', 'ask']),
  rules: z.array(z.string()),
  tier: Tier,
  approvers: z.array(z.string()),
  approval: ApprovalId.nullable(),
  grant: z.string().nullable(),
  /** Who asked for it, from whoever began it to the tool. */
  chain: Chain,
  /** What the card says about the call; an executor builds it again from the call and refuses a difference. */
  what: Hash,
  /** Why the card says that it is asked. */
  why: Hash,
  createdAt: Time,
  notAfter: Time,
  maxUses: z.literal(1),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  /** The idempotency key: the same for every attempt at this effect. */
  key: z.string(),
})
export type ApprovalSubject = z.infer<typeof ApprovalSubject>

const subjectDomain = 'countersign/approval/v2\0'

/** The text whose SHA-256 is the digest of the subject. */
export function subjectText(subject: ApprovalSubject): string {
  return subjectDomain + canonicalText(subject)
}
