/** Owns the table of the routes of nodes. A node is let in, renamed and revoked by a statement about it (`stateDevice`). */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  LimitNode,
  NodeList,
  NodePairingBody,
  NodePairingInfo,
  NodePairingRequested,
  NodePairingRequestView,
  NodePairingState,
} from '../api-nodes.ts'
import { NodeId } from '../ids.ts'
import { define } from './define.ts'

const requestId = { params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }) }

export const nodeRoutes = {
  nodePairing: define(
    'get',
    '/v1/nodes/pairing',
    'Whom a new node would believe. Needs no signature.',
    NodePairingInfo,
  ),
  requestNodePairing: define(
    'post',
    '/v1/nodes/pairing/requests',
    'Creates a request of a new node that is valid for ten minutes. Signed with the new key only.',
    NodePairingRequested,
    { body: NodePairingBody },
  ),
  nodePairingState: define(
    'get',
    '/v1/nodes/pairing/requests/{id}',
    'The result of a request of a new node. Needs no signature.',
    NodePairingState,
    requestId,
  ),
  nodePairingRequests: define(
    'get',
    '/v1/nodes/pairing/requests',
    'Pending requests of new nodes.',
    z.array(NodePairingRequestView),
  ),
  refuseNodePairing: define(
    'post',
    '/v1/nodes/pairing/requests/{id}/refuse',
    'Refuses the request of a new node.',
    Receipt,
    requestId,
  ),
  nodes: define('get', '/v1/nodes', 'All nodes, including revoked ones, and what each can do now.', NodeList),
  limitNode: define('post', '/v1/nodes/{id}/limit', 'Switches capabilities of a node off here.', Receipt, {
    params: z.object({ id: NodeId }),
    body: LimitNode,
  }),
}
