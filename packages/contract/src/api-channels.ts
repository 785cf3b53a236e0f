/** Owns the shapes of channels and of the people who write there. A secret goes in; no reply has a field for one. */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { SecretValue } from './api-secrets.ts'

/** By which the operator calls a channel of theirs. */
export const ChannelName = AccountName

/** What a kind of channel needs and can do, for whoever adds one. */
export const ChannelKindView = z.strictObject({
  kind: z.string(),
  title: z.string(),
  about: z.string(),
  steps: z.array(z.string()),
  secrets: z.array(z.strictObject({ name: z.string(), label: z.string(), optional: z.boolean() })),
  /** The settings as a JSON schema. */
  settings: z.record(z.string(), z.unknown()),
  direction: z.enum(['both', 'out']),
  /** Whether somebody can be let in there as the operator. */
  bindable: z.boolean(),
  /** Up to which tier the operator's own account can decide there. */
  decides: z.union([z.literal(0), z.literal(2)]),
  groups: z.boolean(),
  /** The platform sends to `/hooks/channels/<name>`, which must be reachable from there. */
  web: z.boolean(),
})
export type ChannelKindView = z.infer<typeof ChannelKindView>

export const ChannelChoices = z.strictObject({
  /** Groups in which people may speak to it, by the ids of the platform. None named: none. */
  groups: z.array(z.string().min(1).max(300)).max(100),
  /** Whether the operator's own account may decide there at all. */
  approvals: z.boolean(),
  /** Whether the operator is told there of notices and reminders. */
  notices: z.boolean(),
  paused: z.boolean(),
})
export type ChannelChoices = z.infer<typeof ChannelChoices>

export const ChooseChannel = ChannelChoices.partial()
export type ChooseChannel = z.infer<typeof ChooseChannel>

export const usualChoices: ChannelChoices = { groups: [], approvals: true, notices: true, paused: false }

export const Channel = z.strictObject({
  name: ChannelName,
  kind: z.string().max(32),
  settings: z.record(z.string(), z.unknown()),
  choices: ChannelChoices,
  /** Of the channel of a plugin: when that was let in. What is let in by its name later is other code. */
  broughtAt: z.string().max(40).exactOptional(),
})
export type Channel = z.infer<typeof Channel>

export const StoreChannel = z.strictObject({
  kind: z.string().max(32),
  settings: z.record(z.string(), z.unknown()).default({}),
  /** By their names. One that is left out stays as it is. */
  secrets: z.record(z.string(), SecretValue).default({}),
  choices: ChooseChannel.default({}),
})
export type StoreChannel = z.infer<typeof StoreChannel>

export const ChannelState = z.enum(['connected', 'connecting', 'disconnected', 'rejected', 'paused'])
export type ChannelState = z.infer<typeof ChannelState>

export const ChannelView = Channel.extend({
  title: z.string(),
  state: ChannelState,
  since: z.string(),
  /** Why it is not connected; null where it is. */
  problem: z.string().nullable(),
  /** Who we are there. */
  account: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  lastInAt: z.string().nullable(),
  lastOutAt: z.string().nullable(),
  people: z.int(),
  /** People who ask to be let in. */
  asking: z.int(),
  /** Messages on their way out. */
  waiting: z.int(),
  /** Messages of which nobody knows whether they arrived. */
  unknown: z.int(),
  /** Answers that wait for the operator, since they may hold something private. */
  held: z.int(),
  /** Messages that came in and could not be handled. */
  aside: z.int(),
})
export type ChannelView = z.infer<typeof ChannelView>

export const ChannelStored = z.strictObject({ channel: Channel, replaced: z.boolean(), ledger: z.int() })
export type ChannelStored = z.infer<typeof ChannelStored>

/** `operator`: the operator's own account there. */
export const PeerRole = z.enum(['operator', 'trusted', 'guest'])
export type PeerRole = z.infer<typeof PeerRole>

export const PeerState = z.enum(['asking', 'paired', 'blocked'])
export type PeerState = z.infer<typeof PeerState>

/** Within what the policy gives every paired person. */
export const PeerLimits = z.strictObject({
  /** The tools that may be called for them; null for those that policy lets them have. */
  tools: z.array(z.string().max(64)).max(100).nullable(),
  /** Nothing above it is even asked. */
  tier: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** What their messages may cost in a day, in US dollars. */
  dailyUsd: z.number().min(0).max(1_000),
  /** From when to when in the operator's day, in hours; null for always. */
  hours: z.strictObject({ from: z.int().min(0).max(23), to: z.int().min(0).max(24) }).nullable(),
  messagesPerHour: z.int().min(0).max(1_000),
})
export type PeerLimits = z.infer<typeof PeerLimits>

export const usualPeerLimits: PeerLimits = {
  tools: null,
  tier: 2,
  dailyUsd: 1,
  hours: null,
  messagesPerHour: 60,
}

export const PeerView = z.strictObject({
  channel: ChannelName,
  /** The platform's id. */
  peer: z.string(),
  /** What they call themselves, safe to show. Anybody can call themselves anything. */
  name: z.string(),
  state: PeerState,
  role: PeerRole.nullable(),
  limits: PeerLimits,
  askedAt: z.string().nullable(),
  pairedAt: z.string().nullable(),
  lastInAt: z.string().nullable(),
})
export type PeerView = z.infer<typeof PeerView>

/** Letters and digits that nobody takes for another. */
export const PairingCode = z
  .string()
  .transform((code) => code.toUpperCase().replaceAll(/[\s-]/g, ''))
  .pipe(
    z
      .string()
      .regex(/^[A-HJKMNP-Z2-9]{8}$/, 'not a code: eight letters and digits, as they stand in the chat'),
  )

export const AdmitPeer = z.strictObject({
  code: PairingCode,
  role: PeerRole,
  limits: PeerLimits.partial().default({}),
})
export type AdmitPeer = z.infer<typeof AdmitPeer>

export const PeerAdmitted = z.strictObject({ peer: PeerView, ledger: z.int() })
export type PeerAdmitted = z.infer<typeof PeerAdmitted>

export const ChangePeer = z.strictObject({
  channel: ChannelName,
  peer: z.string().min(1).max(300),
  change: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('limit'), limits: PeerLimits.partial() }),
    z.strictObject({ kind: z.literal('block') }),
    /** They are strangers again. */
    z.strictObject({ kind: z.literal('remove') }),
  ]),
})
export type ChangePeer = z.infer<typeof ChangePeer>

export const DeliveryState = z.enum([
  'waiting',
  'sending',
  'sent',
  'unknown',
  'expired',
  'refused',
  'held',
  'dropped',
  /** It came in and could not be handled. */
  'aside',
])
export type DeliveryState = z.infer<typeof DeliveryState>

export const DeliveryView = z.strictObject({
  id: z.string(),
  channel: ChannelName,
  chat: z.string(),
  kind: z.enum(['reply', 'message', 'card', 'notice', 'pairing', 'answer', 'test', 'change', 'incoming']),
  state: DeliveryState,
  /** The beginning of what is said; all of it where it is held. */
  text: z.string(),
  attempts: z.int(),
  problem: z.string().nullable(),
  at: z.string(),
  sentAt: z.string().nullable(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

/** Whether an answer that was held goes out after all. */
export const SettleDelivery = z.strictObject({ send: z.boolean() })
