/** Owns what the operator takes away from a node here, and what a node said against the ledger, each kept as a record. */
import {
  CountersignError,
  NodeCapability,
  type NodeId,
  type OperatorId,
  type Records,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { z } from 'zod'

const nodesCollection = 'nodes'

const NodeRecord = z.strictObject({
  off: z.array(NodeCapability),
  complaint: z.string().nullable(),
})
export type NodeRecord = z.infer<typeof NodeRecord>

const untouched: NodeRecord = { off: [], complaint: null }

export async function nodeRecord(
  records: RecordTransactions,
  operator: OperatorId,
  node: NodeId,
): Promise<NodeRecord> {
  return records.read(operator, ({ records: rows }) => recordIn(rows, node))
}

/** In the transaction of whoever records why. */
export async function changeNodeRecord(
  rows: Records,
  node: NodeId,
  change: Partial<NodeRecord>,
): Promise<void> {
  const data = { ...(await recordIn(rows, node)), ...change }
  const known = await rows.get(nodesCollection, node)
  if (known) await rows.replace(nodesCollection, node, known.version, data, null)
  else await rows.insert(nodesCollection, node, data, null)
}

/** What cannot be read takes nothing away, so nobody goes on with it. */
async function recordIn(rows: Records, node: NodeId): Promise<NodeRecord> {
  const known = await rows.get(nodesCollection, node)
  if (!known) return untouched
  const parsed = NodeRecord.safeParse(known.data)
  if (parsed.success) return parsed.data
  throw new CountersignError('internal', `What is kept of ${node} cannot be read.`)
}
