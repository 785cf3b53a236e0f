export { isPassingFailure, type Migration } from '@countersign/database'
export { type Decider, type SealChecks, subjectOf, viewOf } from './approvals/approvals.ts'
export { type Lease, viewOfGrant } from './approvals/grants.ts'
export { viewOfQuestion } from './approvals/questions.ts'
export type { Account } from './budgets/books.ts'
export { viewOfCall } from './dispatch/calls.ts'
export type { ChainNames } from './dispatch/chain-names.ts'
export type { ExecutorPort, ExecutorReply } from './dispatch/executor-port.ts'
export type { InsteadOfCall, PassingCall } from './dispatch/middleware.ts'
export type { Forgetting } from './forget/work-log.ts'
export type { HouseRecords, HouseUnit, WhichRecords } from './house/house-records.ts'
export type {
  CallMiddleware,
  InboundMessage,
  Kernel,
  KernelOptions,
  KernelParts,
  OpenedKernel,
  RetainedKind,
} from './kernel.ts'
export type { AdmittedInput } from './lanes/lanes.ts'
export { openKernel } from './open-kernel.ts'
export { type Removed, type RetentionDays, usualRetention } from './retention/retention.ts'
export { readHistory } from './runs/history.ts'
export type { Mind, Prepared, RunEnd } from './runs/mind-port.ts'
export { maskedModel } from './secrets/masked-model.ts'
export type { Holds } from './sessions/holds.ts'
export type { EndedConversation, EndedMessage, ImportedConversation } from './sessions/import-ended.ts'
export type { LockedSession, Sessions } from './sessions/sessions.ts'
export type { EnrolledDevice, KnownDevice } from './store/devices.ts'
export type { RunRow } from './store/run-row.ts'
export type { Actor, EntryDraft, LimitedDb, Reader } from './store/store.ts'
export type { KernelTables, Work } from './store/tables.ts'
export type { Delta, Listener } from './stream/stream.ts'
