/** What the kernel needs of an executor. The only way out of the gateway. Types only. */
import type { ExecuteReply, ResolveReply } from './executor-protocol.ts'
import type { ExecutorId, OperatorId } from './ids.ts'
import type { Permit } from './permit.ts'

/** Another computer's own words, which are worth what its tools bring in, also where they say why nothing was done. */
interface Said {
  readonly by?: 'node'
}

export type LookReply = ResolveReply & Said

/** `lost` means that the executor went away before it answered; the same permit may be sent again. */
export type ExecutorReply = (ExecuteReply & Said) | { readonly kind: 'lost' }

export interface ExecutorPort {
  readonly identity: { readonly executor: ExecutorId; readonly key: string }
  resolve(
    operator: OperatorId,
    calls: readonly { tool: string; args: string }[],
    /** When they were asked for; the subject says the same. */
    asked: Date,
  ): Promise<readonly (LookReply | undefined)[]>
  /** Never rejects. Each reply is handed over as soon as it is there. */
  execute(
    permits: readonly Permit[],
    signal: AbortSignal,
    replied: (index: number, reply: ExecutorReply) => void,
    /** Which of the permits another life of the gateway may have sent already. */
    sentBefore?: (index: number) => boolean,
  ): Promise<void>
  setWorld(world: { policy: string; epoch: number }): void
}
