/** Owns the shape of ids: a prefix that says what it names, and a UUIDv7 so that ids sort by time. */
import { z } from 'zod'

const id = <Prefix extends string>(prefix: Prefix) =>
  z.templateLiteral([`${prefix}_`, z.string().regex(/^[0-9a-f]{32}$/)]).brand<Prefix>()

/** The kinds of ids that people type, and so may shorten. */
export const ShortIdKind = z.enum(['ses', 'run', 'call', 'apr', 'q', 'gr', 'goal', 'mem'])
export type ShortIdKind = z.infer<typeof ShortIdKind>

/** At most ten, newest first. */
export const ShortIds = z.strictObject({ ids: z.array(z.string()) })

export const OperatorId = id('op')
export const DeviceId = id('dev')
export const SessionId = id('ses')
export const InputId = id('inp')
export const RunId = id('run')
export const CallId = id('call')
export const ApprovalId = id('apr')
export const QuestionId = id('q')
export const GrantId = id('gr')
export const AskedForId = id('ask')
export const UnaskedId = id('un')
export const ModelCallId = id('mc')
export const GatewayId = id('gw')
export const ExecutorId = id('exe')
export const NodeId = id('node')

export type OperatorId = z.infer<typeof OperatorId>
export type DeviceId = z.infer<typeof DeviceId>
export type SessionId = z.infer<typeof SessionId>
export type InputId = z.infer<typeof InputId>
export type RunId = z.infer<typeof RunId>
export type CallId = z.infer<typeof CallId>
export type ApprovalId = z.infer<typeof ApprovalId>
export type QuestionId = z.infer<typeof QuestionId>
export type GrantId = z.infer<typeof GrantId>
export type AskedForId = z.infer<typeof AskedForId>
export type UnaskedId = z.infer<typeof UnaskedId>
export type ModelCallId = z.infer<typeof ModelCallId>
export type GatewayId = z.infer<typeof GatewayId>
export type ExecutorId = z.infer<typeof ExecutorId>
export type NodeId = z.infer<typeof NodeId>

export interface IdOf {
  op: OperatorId
  dev: DeviceId
  ses: SessionId
  inp: InputId
  run: RunId
  call: CallId
  apr: ApprovalId
  q: QuestionId
  gr: GrantId
  ask: AskedForId
  un: UnaskedId
  mc: ModelCallId
  gw: GatewayId
  exe: ExecutorId
  node: NodeId
}

/** Makes an id from a UUIDv7 that the caller supplies, so that ids can be simulated. */
export function idFrom<Prefix extends keyof IdOf>(prefix: Prefix, uuid: string): IdOf[Prefix] {
  return `${prefix}_${uuid.replaceAll('-', '')}` as IdOf[Prefix]
}
