/** What the kernel needs of an executor. The only way out of the gateway. */
import type { ExecuteReply, ExecutorId, OperatorId, Permit, ResolveReply } from '@countersign/contract'

/** `lost` means that the executor went away before it answered; the same permit may be sent again. */
export type ExecutorReply = ExecuteReply | { readonly kind: 'lost' }

/** Who runs what: a separate process, or the gateway itself for work on the operator's records. */
export interface Executors {
  readonly executor: ExecutorPort
  readonly gateway: ExecutorPort
}

export interface ExecutorPort {
  readonly identity: { readonly executor: ExecutorId; readonly key: string }
  resolve(
    operator: OperatorId,
    calls: readonly { tool: string; args: string }[],
    /** When they were asked for; the subject says the same. */
    asked: Date,
  ): Promise<readonly (ResolveReply | undefined)[]>
  /** Never rejects. Each reply is handed over as soon as it is there. */
  execute(
    permits: readonly Permit[],
    signal: AbortSignal,
    replied: (index: number, reply: ExecutorReply) => void,
  ): Promise<void>
  setWorld(world: { policy: string; epoch: number }): void
}
