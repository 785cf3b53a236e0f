/** The port through which the links of a chain get names that people know. */
import type { ChainLink, OperatorId } from '@countersign/contract'

/**
 * Gives names that people know to what a chain speaks of. A link that it leaves without one keeps its id as its name.
 * It is told of a trigger by the key of the message that the trigger sent.
 */
export type ChainNames = (operator: OperatorId, links: readonly ChainLink[]) => Promise<readonly ChainLink[]>
