/**
 * Owns which other computers the device of this host itself let run calls. Only its own signature counts, and a
 * revocation by anybody: who stores the statements can take a node away here, and make none.
 */
import { type NodeResource, type NodeStatement, statementText } from '@countersign/contract'
import {
  fingerprint,
  type HostIdentity,
  publicKeyOf,
  readStatements,
  verifyText,
} from '@countersign/contract/node'

export type OwnNode = Pick<NodeResource, 'node' | 'executor' | 'key' | 'name'>

export interface ApprovingHost extends HostIdentity {
  /** Left out, there are none. */
  readonly nodes?: readonly OwnNode[]
}

export function ownNodes(statementFile: string, { trust, device }: HostIdentity): OwnNode[] {
  const { signed } = readStatements(statementFile)
  const revoked = new Set(
    signed.flatMap(({ statement }) => (statement.kind === 'revoke' ? [statement.target] : [])),
  )
  const ownKey = publicKeyOf(device.keys.publicKey)
  const newest = new Map<string, NodeStatement>()
  for (const { statement, by } of signed) {
    if (statement.kind !== 'node' || statement.gateway !== trust.gateway.id || by?.device !== device.id)
      continue
    if (revoked.has(statement.node) || !verifyText(ownKey, statementText(statement), by.signature)) continue
    const before = newest.get(statement.node)
    // Its key never changes; its name may.
    if (before && (before.key !== statement.key || before.executor !== statement.executor)) continue
    if (!before || Date.parse(statement.at) > Date.parse(before.at)) newest.set(statement.node, statement)
  }
  return [...newest.values()].map(({ node, executor, key, name }) => ({
    node,
    executor,
    key: fingerprint(key),
    name,
  }))
}
