export { isPassingFailure, type Migration } from '@countersign/database'
export { type Loosening, refusalAt, refusalsOf, sayLoosening } from '@countersign/policy'
export { subjectOf } from './approvals/approval-row.ts'
export { viewOfApproval } from './approvals/approval-view.ts'
export { type AdvanceGrants, viewOfGrant } from './approvals/grants.ts'
export { viewOfQuestion } from './approvals/questions.ts'
export { type Decider, type SealChecks } from './approvals/seal-verdict.ts'
export type { Account } from './budgets/model-costs.ts'
export { spentByPerson } from './budgets/person-costs.ts'
export { originsOfRun } from './dispatch/ancestors.ts'
export { viewOfCall } from './dispatch/call-rows.ts'
export type { ChainNames } from './dispatch/chain-names.ts'
export { filesWorth, worthOf } from './dispatch/file-labels.ts'
export type { CallInReview, CallSubstitute } from './dispatch/middleware.ts'
export type { JudgedAgain } from './dispatch/simulate.ts'
export type { Forgetting } from './forget/forget-words.ts'
export type {
  CallMiddleware,
  InboundMessage,
  Kernel,
  KernelOptions,
  KernelParts,
  OpenedKernel,
  RetainedKind,
} from './kernel.ts'
export type { AdmittedInput } from './lanes/admission.ts'
export type { LedgerWitness, Witnesses } from './ledger/witnesses.ts'
export { openKernel } from './open-kernel.ts'
export { digestOf, type PolicyVersion, problemsOf, stepUpError } from './policies/policies.ts'
export { saidBase, saidRules } from './policies/said-policy.ts'
export type { RecordSelection, RecordTransaction, RecordTransactions } from './records/record-transactions.ts'
export { type RemovedRows } from './retention/retention.ts'
export type { AssistantPort, RunEnd, RunPreparation } from './runs/assistant-port.ts'
export { readHistory } from './runs/history.ts'
export { maskedModel } from './secrets/masked-model.ts'
export type { Holds } from './sessions/holds.ts'
export type { EndedConversation, EndedMessage, ImportedConversation } from './sessions/import-ended.ts'
export type { LockedSession, Sessions } from './sessions/sessions.ts'
export type { EnrolledDevice, KnownDevice } from './store/devices.ts'
export type { RunRow } from './store/run-row.ts'
export { shownFrom } from './store/session-window.ts'
export type { Actor, EntryDraft, LimitedDb, Reader } from './store/store.ts'
export type { KernelTables, Work } from './store/tables.ts'
export type { Delta, Listener } from './stream/stream.ts'
