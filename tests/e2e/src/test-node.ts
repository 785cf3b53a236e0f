/** Owns a computer that asks to be a node, is let in by the host, and says what it can do. It runs nothing. */
import { randomBytes } from 'node:crypto'
import {
  GatewayToNodeFrame,
  type NodeAdvert,
  type NodeFrame,
  NodePairingInfo,
  NodePairingRequested,
  type NodeStatement,
  nodeLinkPath,
  nodeLinkText,
  nodePairingText,
} from '@countersign/contract'
import { generateKey, type KeyPair, signText } from '@countersign/contract/node'
import type { GatewayProcess, Installation } from '@countersign/harness'
import { signedByHost } from './pairing.ts'

export interface AskingNode {
  readonly name: string
  readonly keys: KeyPair
  readonly requested: NodePairingRequested
}

export interface ConnectedNode {
  say(frame: NodeFrame): void
  close(): void
}

type At = Pick<GatewayProcess, 'url' | 'client'>

const numberOf = (bytes: number) => randomBytes(bytes).toString('base64url')

export async function askAsNode({ url }: At, name: string): Promise<AskingNode> {
  const asked = await fetch(`${url}/v1/nodes/pairing`)
  const { key: gateway, root } = NodePairingInfo.parse(await asked.json())
  const keys = generateKey()
  const nonce = numberOf(24)
  const text = nodePairingText({ gateway, root: root.key, node: keys.publicKey }, nonce)
  const body = {
    key: keys.publicKey,
    name,
    platform: 'Linux',
    nonce,
    signature: signText(keys.privateKey, text),
  }
  const answer = await fetch(`${url}/v1/nodes/pairing/requests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { name, keys, requested: NodePairingRequested.parse(await answer.json()) }
}

/** As `countersign node approve` does once the words were compared. */
export async function letNodeIn(
  installation: Pick<Installation, 'identity' | 'now'>,
  { client }: At,
  { name, keys, requested }: AskingNode,
): Promise<void> {
  const { node, executor } = requested
  const statement: NodeStatement = {
    v: 1,
    gateway: installation.identity.trust.gateway.id,
    at: installation.now().toISOString(),
    kind: 'node',
    node,
    executor,
    key: keys.publicKey,
    name,
    platform: 'Linux',
  }
  await client.stateDevice(signedByHost(installation, statement))
}

/** Resolves when the gateway knows what it can do. */
export async function connectAsNode(
  { url }: At,
  { keys, requested }: AskingNode,
  can: Pick<NodeAdvert, 'capabilities'>,
): Promise<ConnectedNode> {
  const { node, executor } = requested
  const nodeNonce = numberOf(24)
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${nodeLinkPath}`)
  const say = (frame: NodeFrame) => socket.send(JSON.stringify(frame))
  const advert: NodeAdvert = {
    executor,
    platform: 'linux',
    version: '0.0.1',
    sandbox: { kind: 'available', name: 'bubblewrap' },
    folder: 'Shared',
    statements: 0,
    witnessed: 0,
    ...can,
  }
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => say({ type: 'hello', node, nonce: nodeNonce }))
    socket.addEventListener('close', ({ reason }) => reject(new Error(`The gateway closed: ${reason}`)))
    socket.addEventListener('message', ({ data }) => {
      const frame = GatewayToNodeFrame.parse(JSON.parse(String(data)))
      if (frame.type === 'challenge') {
        const nonces = { gateway: frame.gateway, node, nodeNonce, gatewayNonce: frame.nonce }
        say({ type: 'proof', signature: signText(keys.privateKey, nodeLinkText('node', nonces)) })
      } else if (frame.type === 'welcome') {
        say({ type: 'ready', advert })
        resolve()
      }
    })
  })
  return { say, close: () => socket.close() }
}
