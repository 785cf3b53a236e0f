/** What a chain is made of, and the port through which its links get names that people know. */
import type { ChainLink, OperatorId, WorkOrigin } from '@countersign/contract'
import type { RunRow } from '../store/run-row.ts'
import type { Tables } from '../store/tables.ts'

/** What of a run, and of the message that it answers, a chain is made of. */
export type Ancestor = Pick<RunRow, 'id' | 'agent' | 'goal' | 'schedule' | 'about' | 'kind' | 'session_id'> &
  Pick<Tables['inputs'], 'key'> & {
    /** Whoever made or set off what began it, where no run did by itself. */
    readonly origins: readonly WorkOrigin[] | null
  }

/**
 * Gives names that people know to what a chain speaks of. A link that it leaves without one keeps its id as its name.
 * It is told of a trigger by the key of the message that the trigger sent.
 */
export type ChainNames = (operator: OperatorId, links: readonly ChainLink[]) => Promise<readonly ChainLink[]>
