/**
 * Owns the shapes by which the policy is looked at, tried on past calls and changed, and the text that a change is
 * sealed by. The text names the gateway, the version that it changes and every byte of the new policy.
 */
import { z } from 'zod'
import { AskedPer100 } from './asked.ts'
import { canonicalText } from './json/canonical.ts'
import { DeviceSeal, PasskeySeal } from './permit.ts'
import { Autonomy, Tier } from './trust.ts'

export const policyLimits = { files: 50, fileBytes: 65_536, bytes: 262_144, passkeyTools: 200 } as const

export const PolicyRuleFile = z.strictObject({
  /** A plain name: it becomes a file in the policy folder. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.cedar$/, 'a name such as mail.cedar'),
  text: z.string().max(policyLimits.fileBytes),
})
export type PolicyRuleFile = z.infer<typeof PolicyRuleFile>

/** Everything that the operator decides about the policy. */
export const PolicyDocument = z.strictObject({
  autonomy: Autonomy,
  files: z.array(PolicyRuleFile).max(policyLimits.files),
  /** Tools whose every call needs the operator's passkey. */
  passkeyTools: z.array(z.string().regex(/^\w{1,100}$/)).max(policyLimits.passkeyTools),
})
export type PolicyDocument = z.infer<typeof PolicyDocument>

/** Refuses what is too much as a whole, or names a file twice. */
export const PolicyDraft = PolicyDocument.refine(
  ({ files }) => files.reduce((bytes, { text }) => bytes + text.length, 0) <= policyLimits.bytes,
  'the rules are too long as a whole',
).refine(
  ({ files }) => new Set(files.map(({ name }) => name.toLowerCase())).size === files.length,
  'two files have the same name',
)

/** In the one form that is compared and sealed: files and tools by name. */
export function plainPolicy({ autonomy, files, passkeyTools }: PolicyDocument): PolicyDocument {
  const byName = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
  return {
    autonomy,
    files: files
      .map(({ name, text }) => ({ name, text }))
      .toSorted((left, right) => byName(left.name, right.name)),
    passkeyTools: [...new Set(passkeyTools)].toSorted(byName),
  }
}

/** The text of a policy; its hash is the digest of the version. */
export function policyText(document: PolicyDocument): string {
  return `countersign/policy/v1\0${canonicalText(plainPolicy(document))}`
}

/** What a device or a passkey seals to change it. Once a change was made its version is another, so it holds once. */
export function policyChangeText(change: {
  readonly gateway: string
  readonly base: number
  readonly document: PolicyDocument
}): string {
  const { gateway, base, document } = change
  return `countersign/policy-change/v1\0${canonicalText({ gateway, base, document: plainPolicy(document) })}`
}

export const PolicyProblem = z.strictObject({ file: z.string(), line: z.int(), message: z.string() })
export type PolicyProblem = z.infer<typeof PolicyProblem>

export const RuleEffect = z.enum(['allow', 'ask', 'refuse'])
export type RuleEffect = z.infer<typeof RuleEffect>

export const PolicyRuleView = z.strictObject({
  id: z.string(),
  file: z.string(),
  line: z.int(),
  why: z.string(),
  effect: RuleEffect,
  /** The rule as people would say it. */
  sentence: z.string(),
  text: z.string(),
})
export type PolicyRuleView = z.infer<typeof PolicyRuleView>

export const PolicyVersionView = z.strictObject({
  number: z.int(),
  hash: z.string(),
  digest: z.string(),
  at: z.string(),
  /** The device that changed it, or the gateway, which read it from the files of its machine. */
  by: z.strictObject({ kind: z.string(), id: z.string(), name: z.string() }),
  sealedBy: z.enum(['device', 'passkey']).nullable(),
  autonomy: Autonomy,
  files: z.array(z.string()),
  passkeyTools: z.array(z.string()),
  /** What it lets through that the one before did not, a sentence each. */
  loosens: z.array(z.string()),
})
export type PolicyVersionView = z.infer<typeof PolicyVersionView>

export const PolicyVersionDetail = z.strictObject({
  version: PolicyVersionView,
  document: PolicyDocument,
  rules: z.array(PolicyRuleView),
})
export type PolicyVersionDetail = z.infer<typeof PolicyVersionDetail>

export const PolicyView = z.strictObject({
  ...PolicyVersionDetail.shape,
  /** What holds at every level, a sentence each. */
  always: z.array(z.string()),
  levels: z.array(
    z.strictObject({
      level: Autonomy,
      about: z.string(),
      /** How often it asked in a hundred calls of the reference weeks; null where nobody counted. */
      asksPer100: z.number().nullable(),
    }),
  ),
  asked: AskedPer100,
  /** Why a part cannot be changed here, as when the environment of the gateway sets it. */
  fixed: z.strictObject({ autonomy: z.string().nullable(), passkeyTools: z.string().nullable() }),
  /** Whether a loosening needs the passkey: there is one. */
  passkey: z.boolean(),
  /** So many past calls can be judged again. */
  calls: z.int(),
})
export type PolicyView = z.infer<typeof PolicyView>

export const PolicyCheck = z.strictObject({
  problems: z.array(PolicyProblem),
  rules: z.array(PolicyRuleView),
  loosens: z.array(z.string()),
  /** The same rules, level and tools as are in force. */
  same: z.boolean(),
})
export type PolicyCheck = z.infer<typeof PolicyCheck>

export const SimulatePolicy = z.strictObject({
  document: PolicyDraft,
  days: z.int().min(1).max(365).default(30),
})

const Outcome = z.enum(['allow', 'ask', 'deny'])

export const SimulatedCall = z.strictObject({
  call: z.string(),
  run: z.string(),
  session: z.string(),
  at: z.string(),
  tool: z.string(),
  headline: z.string(),
  tier: Tier,
  before: Outcome,
  after: Outcome,
  /** Why the draft decides as it does. */
  reason: z.string(),
  rules: z.array(z.string()),
})
export type SimulatedCall = z.infer<typeof SimulatedCall>

const Counts = z.strictObject({ allow: z.int(), ask: z.int(), deny: z.int() })

export const PolicySimulation = z.strictObject({
  /** So many calls were judged again, by both policies. */
  calls: z.int(),
  since: z.string().nullable(),
  before: Counts,
  after: Counts,
  newlyAllowed: z.int(),
  newlyAsked: z.int(),
  newlyRefused: z.int(),
  /** Those that come out differently, the newest first, as many as are shown. */
  changed: z.array(SimulatedCall),
})
export type PolicySimulation = z.infer<typeof PolicySimulation>

export const ApplyPolicy = z.strictObject({
  /** The version that the draft was made from. */
  base: z.int().min(0),
  document: PolicyDraft,
  seal: z.discriminatedUnion('by', [DeviceSeal, PasskeySeal]),
})
export type ApplyPolicy = z.infer<typeof ApplyPolicy>

export const AppliedPolicy = z.strictObject({ version: PolicyVersionView, ledger: z.int() })
export type AppliedPolicy = z.infer<typeof AppliedPolicy>

/** What rules can name of a call, with the kind of its value. Completion offers these. */
export const policyAttributes = {
  approved: 'Bool',
  granted: 'Bool',
  tier: 'Long',
  autonomy: 'String',
  integrity: 'String',
  confidentiality: 'String',
  unattended: 'Bool',
  agent: 'String',
  goal: 'String',
  session: 'String',
  channel: 'String',
  chat: 'String',
  peer: 'String',
  unproven: 'Bool',
  reads: 'Bool',
  changes: 'Bool',
  egress: 'Bool',
  outward: 'Bool',
  irreversible: 'Bool',
  uninspectable: 'Bool',
  outside: 'Bool',
  fresh: 'Bool',
  named: 'Bool',
  look: 'Bool',
  question: 'Bool',
  reader: 'Bool',
  asked: 'Bool',
  secrets: 'Set<String>',
  hosts: 'Set<String>',
  paths: 'Set<String>',
  folders: 'Set<String>',
  methods: 'Set<String>',
  server: 'String',
  serverTool: 'String',
} as const
