/**
 * The other end of a node for tests: a host with real keys that lets nodes in, a real WebSocket, and permits that it
 * makes and seals, honestly or not. Never for use outside tests.
 */
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApprovalSubject,
  canonicalText,
  type ExecutorId,
  type GatewayToNodeFrame,
  idFrom,
  type JsonObject,
  NodeFrame,
  type NodeId,
  NodePairingBody,
  type NodePairingInfo,
  nodeLinkText,
  nodePairingText,
  type Permit,
  type Resolution,
  type Seal,
  type SignedStatement,
  sealText,
  statementText,
  type Tier,
  type TrustStatement,
} from '@countersign/contract'
import {
  digestOf,
  establishHost,
  fingerprint,
  gatewayKeyPath,
  generateKey,
  type HostIdentity,
  homePaths,
  type KeyPair,
  publicKeyOf,
  readKey,
  sha256Hex,
  signText,
  verifyText,
} from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import { subjectFor } from '@countersign/executor/workbench'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { type WebSocket, WebSocketServer } from 'ws'

export interface ScriptedGateway {
  readonly address: string
  readonly identity: HostIdentity
  readonly gatewayKey: KeyPair
  /** As the host would show them for the request that waits. */
  words(): string[]
  /** What it says of whom to believe; a middleman changes it. */
  info: NodePairingInfo
  /** Signs the statement about the request that waits. */
  approve(name: string, change?: (statement: TrustStatement) => TrustStatement, by?: KeyPair): SignedStatement
  sign(statement: TrustStatement): SignedStatement
  /** Resolves with the next connection once the node has been let in and said what it can do. */
  connection(): Promise<ScriptedLink>
  /** Proves itself with another key than it was paired with. */
  linkKey: KeyPair
  readonly statements: SignedStatement[]
  close(): Promise<void>
}

export interface ScriptedLink {
  readonly ready: Extract<NodeFrame, { type: 'ready' }>
  send(frame: GatewayToNodeFrame): void
  raw(text: string | Buffer): void
  /** The next frame of this kind that was not taken yet. */
  next<Type extends NodeFrame['type']>(type: Type): Promise<Extract<NodeFrame, { type: Type }>>
  resolve(
    tool: string,
    args: JsonObject,
  ): Promise<Extract<NodeFrame, { type: 'resolved' }>['replies'][number]>
  execute(permit: Permit): Promise<Extract<NodeFrame, { type: 'executed' }>['reply']>
  /** Resolves when the node or this end hung up. */
  readonly closed: Promise<void>
  drop(): void
}

export interface NodePermit {
  readonly tool: string
  readonly args: JsonObject
  readonly tier?: Tier
  readonly sealBy?: 'gateway' | 'device'
  readonly change?: (subject: ApprovalSubject) => ApprovalSubject
  readonly key?: KeyPair
}

const world = { policy: sha256Hex('policy one'), epoch: 1 }
const catalogue = createCatalogue(builtinTools)

export async function openScriptedGateway(): Promise<ScriptedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-scripted-'))
  const paths = homePaths({ COUNTERSIGN_HOME: folder }, process.platform)
  const identity = establishHost(paths, 'host', new Date('2026-01-01T00:00:00.000Z'))
  const gatewayKey = readKey(gatewayKeyPath(paths))
  const { trust, device } = identity
  const root = trust.devices[0]
  if (!root) throw new Error('The host has no device.')
  let asked: { body: NodePairingBody; node: NodeId; executor: ExecutorId } | undefined
  let signedOf: SignedStatement | null = null
  const statements: SignedStatement[] = []
  const waiting: PromiseWithResolvers<ScriptedLink>[] = []
  const links: ScriptedLink[] = []
  const webs = new Set<WebSocket>()

  const server = createServer(async (request, response) => {
    const answer = (value: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(value))
    }
    const { url = '' } = request
    if (url === '/v1/nodes/pairing') return answer(gateway.info)
    if (url === '/v1/nodes/pairing/requests') {
      const body = NodePairingBody.parse(JSON.parse(await textOf(request)))
      asked = { body, node: idFrom('node', randomUUIDv7()), executor: idFrom('exe', randomUUIDv7()) }
      const expiresAt = new Date(Date.now() + 600_000).toISOString()
      return answer({ id: 'a'.repeat(32), node: asked.node, executor: asked.executor, expiresAt })
    }
    if (url === `/v1/nodes/pairing/requests/${'a'.repeat(32)}`)
      return answer({ state: signedOf ? 'approved' : 'waiting', signed: signedOf })
    response.statusCode = 404
    return answer({ ok: false, error: { type: 'not_found', message: 'There is nothing here.', next: 'Go.' } })
  })
  const sockets = new WebSocketServer({ server, path: '/v1/nodes/link' })
  sockets.on('connection', (web) => {
    webs.add(web)
    greet(web).catch(() => web.terminate())
  })

  async function greet(web: WebSocket): Promise<void> {
    const inbox = createInbox(web)
    const hello = await inbox.next('hello')
    const nonces = {
      gateway: trust.gateway.id,
      node: hello.node,
      nodeNonce: hello.nonce,
      gatewayNonce: 'g'.repeat(32),
    }
    const send = (frame: GatewayToNodeFrame) => web.send(JSON.stringify(frame))
    const proof = signText(gateway.linkKey.privateKey, nodeLinkText('gateway', nonces))
    send({ type: 'challenge', nonce: nonces.gatewayNonce, gateway: nonces.gateway, proof })
    const { signature } = await inbox.next('proof')
    const key = publicKeyOf(asked?.body.key ?? '')
    if (!verifyText(key, nodeLinkText('node', nonces), signature))
      throw new Error('The node did not prove its key.')
    send({ type: 'welcome' })
    const ready = await inbox.next('ready')
    let id = 0
    const link: ScriptedLink = {
      ready,
      send,
      raw: (text) => web.send(text),
      next: inbox.next,
      async resolve(tool, args) {
        id += 1
        send({ type: 'resolve', id, calls: [{ tool, args: canonicalArgs(tool, args) }] })
        const [reply] = (await inbox.next('resolved')).replies
        if (!reply) throw new Error('There was no reply.')
        return reply
      },
      async execute(permit) {
        id += 1
        send({ type: 'execute', id, permits: [permit] })
        return (await inbox.next('executed')).reply
      },
      closed: inbox.closed,
      drop: () => web.terminate(),
    }
    const someone = waiting.shift()
    if (someone) someone.resolve(link)
    else links.push(link)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const gateway: ScriptedGateway = {
    address: `http://127.0.0.1:${port}`,
    identity,
    gatewayKey,
    linkKey: gatewayKey,
    statements,
    info: {
      gateway: trust.gateway.id,
      key: trust.gateway.key,
      operator: trust.operator,
      root: { device: root.id, key: root.key, name: root.name, addedAt: root.addedAt },
    },
    words() {
      if (!asked) throw new Error('Nobody asked.')
      const keys = { gateway: trust.gateway.key, root: root.key, node: asked.body.key }
      return pairingWords(Buffer.from(sha256Hex(nodePairingText(keys, asked.body.nonce)), 'hex'))
    },
    approve(name, change = (statement) => statement, by = device.keys) {
      if (!asked) throw new Error('Nobody asked.')
      const { body, node, executor } = asked
      const { key, platform } = body
      const at = new Date().toISOString()
      const statement = change({
        v: 1,
        kind: 'node',
        gateway: trust.gateway.id,
        at,
        node,
        executor,
        key,
        name,
        platform,
      })
      const signature = signText(by.privateKey, statementText(statement))
      signedOf = { statement, by: { device: device.id, signature }, passkey: null }
      statements.push(signedOf)
      return signedOf
    },
    sign(statement) {
      const signature = signText(device.keys.privateKey, statementText(statement))
      const signed = { statement, by: { device: device.id, signature }, passkey: null }
      statements.push(signed)
      return signed
    },
    connection() {
      const there = links.shift()
      if (there) return Promise.resolve(there)
      const coming = Promise.withResolvers<ScriptedLink>()
      waiting.push(coming)
      return coming.promise
    },
    async close() {
      for (const web of webs) web.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return gateway
}

/** What the gateway tells a node that was just let in. */
export function tellWorld(gateway: ScriptedGateway, link: ScriptedLink): void {
  const lines = gateway.statements.slice(link.ready.advert.statements).map((signed) => JSON.stringify(signed))
  link.send({ type: 'statements', from: link.ready.advert.statements, lines })
  link.send({ type: 'world', ...world })
}

/** What a gateway makes of a call that the node looked at. */
export function permitFor(gateway: ScriptedGateway, wish: NodePermit, resolution: Resolution): Permit {
  const facts = catalogue.find(wish.tool)
  const [resource] = resolution.resources
  if (!facts || resource?.type !== 'node') throw new Error(`${wish.tool} is not for a node.`)
  const at = new Date()
  const args = canonicalArgs(wish.tool, wish.args)
  const made = subjectFor(
    { identity: gateway.identity, world },
    { facts, args, resolution, at, tier: wish.tier },
  )
  const honest = { ...made, audience: { executor: resource.executor, key: resource.key } }
  const subject = wish.change ? wish.change(honest) : honest
  return { subject, seal: sealFor(gateway, subject, wish, at) }
}

export async function approvedPermit(
  gateway: ScriptedGateway,
  link: ScriptedLink,
  wish: NodePermit,
): Promise<Permit> {
  const reply = await link.resolve(wish.tool, wish.args)
  if (reply.kind !== 'resolved') throw new Error(`${wish.tool}: ${reply.reason}`)
  return permitFor(gateway, wish, reply.resolution)
}

function sealFor(gateway: ScriptedGateway, subject: ApprovalSubject, wish: NodePermit, at: Date): Seal {
  const by = wish.sealBy ?? (subject.tier >= 3 ? 'device' : 'gateway')
  const decidedAt = at.toISOString()
  const digest = digestOf(subject)
  const { identity, gatewayKey } = gateway
  if (by === 'gateway') {
    const text = sealText(digest, identity.trust.gateway.id, decidedAt)
    return { by, decidedAt, signature: signText((wish.key ?? gatewayKey).privateKey, text) }
  }
  const { id, keys } = identity.device
  const signature = signText((wish.key ?? keys).privateKey, sealText(digest, id, decidedAt))
  return { by, device: id, decidedAt, signature }
}

export function canonicalArgs(tool: string, args: JsonObject): string {
  const parsed = catalogue.find(tool)?.parse(args)
  if (parsed?.kind !== 'args') throw new Error(`${tool} does not take ${JSON.stringify(args)}`)
  return canonicalText(parsed.args)
}

export { fingerprint, generateKey }

function createInbox(web: WebSocket) {
  const frames: NodeFrame[] = []
  const wanted: { readonly type: string; readonly end: PromiseWithResolvers<NodeFrame> }[] = []
  const closed = Promise.withResolvers<void>()
  web.on('message', (data) => {
    const frame = NodeFrame.parse(JSON.parse(data.toString()))
    const at = wanted.findIndex(({ type }) => type === frame.type)
    if (at === -1) frames.push(frame)
    else wanted.splice(at, 1)[0]?.end.resolve(frame)
  })
  web.on('close', () => {
    closed.resolve()
    for (const { end } of wanted) end.reject(new Error('The node hung up.'))
  })
  return {
    closed: closed.promise,
    async next<Type extends NodeFrame['type']>(type: Type): Promise<Extract<NodeFrame, { type: Type }>> {
      const at = frames.findIndex((frame) => frame.type === type)
      if (at !== -1) return frames.splice(at, 1)[0] as Extract<NodeFrame, { type: Type }>
      const end = Promise.withResolvers<NodeFrame>()
      wanted.push({ type, end })
      return (await end.promise) as Extract<NodeFrame, { type: Type }>
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
