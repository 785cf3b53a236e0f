/**
 * Owns which computers ask to become nodes: a few requests, for minutes, in memory. Refuses whoever does not hold the
 * key that they name. Asking gives nothing; only a statement of the host's own device does.
 */
import {
  CountersignError,
  idFrom,
  type NodePairingBody,
  type NodePairingRequested,
  type NodePairingRequestView,
  type NodePairingState,
  type NodeStatement,
  nodePairingText,
  type SignedStatement,
} from '@countersign/contract'
import { publicKeyOf, verifyText } from '@countersign/contract/node'

export interface NodePairingOptions {
  readonly gatewayKey: string
  /** The key of the host's own device, which the words bind. */
  readonly rootKey: () => Promise<string>
  readonly clock: () => Date
  readonly uuid: () => string
}

export interface NodePairing {
  /** Throws when the key was not shown to be theirs, or too many wait. */
  request(body: Omit<NodePairingBody, 'invitation'>): Promise<NodePairingRequested>
  state(id: string): NodePairingState
  waiting(): NodePairingRequestView[]
  /** Throws when it does not wait any more. */
  refuse(id: string): NodePairingRequestView
  /** What was stated of a node: where one with this key waits, it is answered. */
  letIn(statement: NodeStatement, signed: SignedStatement): void
}

export const nodePairingLimits = { lifetimeMs: 10 * 60_000, pending: 3 } as const

interface NodeRequest {
  readonly view: NodePairingRequestView
  readonly expires: number
  ended: (Pick<NodePairingState, 'signed'> & { readonly state: 'approved' | 'refused' }) | null
}

export function createNodePairing({ gatewayKey, rootKey, clock, uuid }: NodePairingOptions): NodePairing {
  const requests = new Map<string, NodeRequest>()
  const now = () => clock().getTime()
  const isWaiting = (request: NodeRequest) => request.ended === null && now() < request.expires

  /** What is over is told for as long again, and then forgotten. */
  function forget(): void {
    for (const [id, { expires }] of requests)
      if (now() >= expires + nodePairingLimits.lifetimeMs) requests.delete(id)
  }

  return {
    async request(body) {
      forget()
      const { key, name, platform, nonce } = body
      if (!holdsKey({ gateway: gatewayKey, root: await rootKey(), node: key }, body))
        throw new CountersignError('not_authenticated', 'The request is not signed with its own key.', {
          next: 'Run `countersign node pair` again on the other computer.',
        })
      const waiting = [...requests.values()].filter(isWaiting)
      // Nothing is awaited between the count and the entry, so two requests cannot both be the last one.
      if (waiting.length >= nodePairingLimits.pending)
        throw new CountersignError('limit_reached', `${waiting.length} computers are already waiting.`, {
          next: 'Approve or refuse them with `countersign node requests` on the gateway, or wait ten minutes.',
        })
      if (waiting.some(({ view }) => view.key === key))
        throw new CountersignError('conflict', 'A request with this key is already waiting.', {
          next: 'Compare the words on both screens.',
        })
      const created = now()
      const expires = created + nodePairingLimits.lifetimeMs
      const view: NodePairingRequestView = {
        id: uuid().replaceAll('-', ''),
        node: idFrom('node', uuid()),
        executor: idFrom('exe', uuid()),
        key,
        name,
        platform,
        nonce,
        createdAt: new Date(created).toISOString(),
        expiresAt: new Date(expires).toISOString(),
      }
      requests.set(view.id, { view, expires, ended: null })
      const { id, node, executor, expiresAt } = view
      return { id, node, executor, expiresAt }
    },
    state(id) {
      const request = requests.get(id)
      if (!request) return { state: 'expired', signed: null }
      return request.ended ?? { state: isWaiting(request) ? 'waiting' : 'expired', signed: null }
    },
    waiting: () => [...requests.values()].filter(isWaiting).map(({ view }) => view),
    refuse(id) {
      const request = requests.get(id)
      if (!request || !isWaiting(request))
        throw new CountersignError('not_found', 'This request is no longer waiting.', {
          next: 'List them with `countersign node requests`.',
        })
      request.ended = { state: 'refused', signed: null }
      return request.view
    },
    letIn({ node, key }, signed) {
      for (const request of requests.values())
        if (request.view.node === node && request.view.key === key && isWaiting(request))
          request.ended = { state: 'approved', signed }
    },
  }
}

function holdsKey(
  keys: { readonly gateway: string; readonly root: string; readonly node: string },
  { nonce, signature }: Pick<NodePairingBody, 'nonce' | 'signature'>,
): boolean {
  const bytes = Buffer.from(keys.node, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== keys.node) return false
  return verifyText(publicKeyOf(keys.node), nodePairingText(keys, nonce), signature)
}
