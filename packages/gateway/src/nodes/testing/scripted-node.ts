/** A node for tests over a real WebSocket: it keeps to the protocol and does what the test says. Never for use outside tests. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  type ExecuteReply,
  type GatewayId,
  GatewayToNodeFrame,
  type NodeAdvert,
  type NodeFrame,
  nodeLinkPath,
  nodeLinkText,
  type Permit,
  type ResolveReply,
} from '@countersign/contract'
import {
  type BelievedNode,
  type KeyPair,
  publicKeyOf,
  signText,
  verifyText,
} from '@countersign/contract/node'
import { WebSocket } from 'ws'
import { madeNodeResource, madeResolution } from './made-nodes.ts'

export interface ScriptedNodeOptions {
  readonly url: string
  readonly gateway: { readonly id: GatewayId; readonly key: string }
  readonly node: BelievedNode
  readonly keys: KeyPair
  readonly advert?: Partial<NodeAdvert>
  /** Left out, it finds a file of its own. */
  readonly look?: (tool: string) => ResolveReply
  /** Left out, it does what is asked. Nothing is answered where it gives nothing. */
  readonly run?: (permit: Permit) => ExecuteReply | undefined | Promise<ExecuteReply | undefined>
}

export interface ScriptedNode {
  /** Every frame of the gateway, in order. */
  readonly heard: GatewayToNodeFrame[]
  /** The permits that came, in order, each time that they came. */
  readonly permits: Permit[]
  /** Resolves when a frame of this kind has come, also before. */
  hears<Type extends GatewayToNodeFrame['type']>(
    type: Type,
    fits?: (frame: Extract<GatewayToNodeFrame, { type: Type }>) => boolean,
  ): Promise<Extract<GatewayToNodeFrame, { type: Type }>>
  say(frame: NodeFrame): void
  /** As when its computer loses the network. */
  cut(): Promise<void>
  /** Resolves with what the gateway said as it closed the connection. */
  readonly closed: Promise<string>
}

export function doneAt(text: string): ExecuteReply {
  const at = new Date().toISOString()
  return { kind: 'done', startedAt: at, endedAt: at, result: { ok: true, text, summary: text, undo: null } }
}

/** Opens the connection and says who it is; what comes of that is heard. */
export async function connectNode(options: ScriptedNodeOptions): Promise<ScriptedNode> {
  const { node, keys, gateway, url } = options
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${nodeLinkPath}`)
  const heard: GatewayToNodeFrame[] = []
  const permits: Permit[] = []
  const listeners = new Set<() => void>()
  const nodeNonce = randomBytes(24).toString('base64url')
  const say = (frame: NodeFrame) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(frame))
  const closed = once(socket, 'close').then(([, reason]) => String(reason))

  async function take(frame: GatewayToNodeFrame): Promise<void> {
    if (frame.type === 'challenge') {
      const text = { gateway: gateway.id, node: node.id, nodeNonce, gatewayNonce: frame.nonce }
      const isProven =
        frame.gateway === gateway.id &&
        verifyText(publicKeyOf(gateway.key), nodeLinkText('gateway', text), frame.proof)
      if (!isProven) throw new Error('the gateway did not prove itself')
      say({ type: 'proof', signature: signText(keys.privateKey, nodeLinkText('node', text)) })
    }
    if (frame.type === 'welcome') say({ type: 'ready', advert: { ...advertOf(node), ...options.advert } })
    if (frame.type === 'resolve') {
      const look = options.look ?? (() => foundOn(node))
      say({ type: 'resolved', id: frame.id, replies: frame.calls.map(({ tool }) => look(tool)) })
    }
    if (frame.type === 'execute')
      for (const [index, permit] of frame.permits.entries()) {
        permits.push(permit)
        const reply = options.run ? await options.run(permit) : doneAt(`did ${permit.subject.tool.name}`)
        if (reply) say({ type: 'executed', id: frame.id, index, reply })
      }
  }

  socket.on('message', (data: Buffer) => {
    const frame = GatewayToNodeFrame.parse(JSON.parse(data.toString('utf8')))
    heard.push(frame)
    for (const listener of listeners) listener()
    void take(frame)
  })
  await once(socket, 'open')
  say({ type: 'hello', node: node.id, nonce: nodeNonce })

  return {
    heard,
    permits,
    say,
    closed,
    hears(type, fits = () => true) {
      const found = () =>
        heard.find((frame): frame is never => frame.type === type && fits(frame as never)) as never
      return new Promise((resolve) => {
        const listen = () => {
          if (!found()) return
          listeners.delete(listen)
          resolve(found())
        }
        listeners.add(listen)
        listen()
      })
    },
    async cut() {
      socket.terminate()
      await closed
    },
  }
}

export function foundOn(node: BelievedNode): ResolveReply {
  return { kind: 'resolved', resolution: madeResolution([madeNodeResource(node)]) }
}

export function advertOf({ executor }: { readonly executor: BelievedNode['executor'] }): NodeAdvert {
  return {
    executor,
    platform: 'linux',
    version: '1',
    sandbox: { kind: 'available', name: 'bubblewrap' },
    folder: 'Shared',
    capabilities: [{ capability: 'files', state: 'ready', reason: '', fix: '' }],
    statements: 0,
    witnessed: 0,
  }
}
