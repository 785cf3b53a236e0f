/**
 * Owns whom this node believes, and who it is by what the operator signed: the host's own device as the words bound it,
 * those that it appointed since, and none that the owner here forgot. A node that is not named, or revoked, has nobody.
 */

import { type BelievedNode, fingerprint, readTrust, watchBelieved } from '@countersign/contract/node'
import { openStatementMemory, type TrustedKeys, verifyPasskey, watchTrust } from '@countersign/executor/node'
import type { NodeIdentity } from '@countersign/tools'
import type { NodePaths, Pairing } from './node-home.ts'
import { forgottenDevices } from './statement-log.ts'

export interface NodeTrust {
  current(): Promise<TrustedKeys | { readonly problem: string }>
  identity(): Promise<NodeIdentity | { readonly problem: string }>
  /** Names for the owner: devices that may approve here, as far as statements say. */
  devices(): Promise<readonly { readonly id: string; readonly name: string; readonly reach: number }[]>
}

export function openNodeTrust(paths: NodePaths, { node }: Pick<Pairing, 'node'>): NodeTrust {
  const files = { trust: paths.trust, devices: paths.statements }
  const watch = watchTrust({ ...files, memory: openStatementMemory(paths.statementMemory) })
  const believed = watchBelieved(files, verifyPasskey)

  async function own(): Promise<BelievedNode | { readonly problem: string }> {
    try {
      const trust = readTrust(paths.trust)
      const { nodes } = (await believed()).believed
      const found = nodes.get(node)
      if (!found) return { problem: 'no statement of the operator names this node yet' }
      if (found.key !== trust.executor.key || found.executor !== trust.executor.id)
        return { problem: 'the operator named this node by another key' }
      return found.revokedAt === null ? found : { problem: 'this node was revoked; pair it again' }
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    async current() {
      // First: it says when statements were taken back.
      const trusted = await watch.current()
      if ('problem' in trusted) return trusted
      const named = await own()
      if ('problem' in named) return named
      try {
        const forgotten = new Set(forgottenDevices(paths))
        const devices = new Map([...trusted.devices].filter(([id]) => !forgotten.has(id)))
        // Nobody can say on which device a passkey is: it may be on the one that was lost.
        return { ...trusted, devices, ...(forgotten.size > 0 ? { passkeys: new Map() } : {}) }
      } catch {
        return { problem: `${paths.forgotten} is damaged; pair this node again` }
      }
    },
    async identity() {
      const found = await own()
      if ('problem' in found) return found
      const { id, executor, key, name } = found
      return { node: id, executor, key: fingerprint(key), name }
    },
    async devices() {
      const { devices } = (await believed()).believed
      const forgotten = new Set(forgottenDevices(paths))
      return [...devices.values()]
        .filter(({ id, revokedAt }) => revokedAt === null && !forgotten.has(id))
        .map(({ id, name, reach }) => ({ id, name, reach }))
    },
  }
}
