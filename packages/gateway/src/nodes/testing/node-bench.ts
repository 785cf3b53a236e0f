/** A setting for tests: a gateway's server, devices and nodes on a real database, with a scripted model. Never for use outside tests. */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ExecutorPort,
  idFrom,
  type JsonObject,
  type Label,
  nodeArgument,
  nodePairingText,
  type Permit,
  type RunDetail,
  type RunId,
  type SignedStatement,
  sealText,
  statementText,
  type ToolFacts,
  type TrustStatement,
} from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import {
  type BelievedNode,
  digestOf,
  establishHost,
  fileSigner,
  gatewayKeyPath,
  generateKey,
  homePaths,
  type KeyPair,
  nodeTransport,
  readKey,
  sha256Hex,
  signText,
} from '@countersign/contract/node'
import { type Kernel, openKernel } from '@countersign/kernel'
import { catalogue as baseTools, plainAssistant, type Replies } from '@countersign/kernel/testing'
import { createLedger, createViews } from '@countersign/views'
import pg from 'pg'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import { createDeviceAccess } from '../../devices/device-access.ts'
import { withNodes } from '../../executor-port.ts'
import { addNodeRoutes } from '../../server/nodes.ts'
import { startServer } from '../../server/server.ts'
import { createWitnessing } from '../../witnesses/witnessing.ts'
import { createNodes, type NodeParts } from '../nodes.ts'
import { connectNode, type ScriptedNode, type ScriptedNodeOptions } from './scripted-node.ts'

export type NodeBench = Awaited<ReturnType<typeof openNodeBench>>

export interface PairedNode {
  readonly node: BelievedNode
  readonly keys: KeyPair
}

/** Free on the node, and what needs the operator's device. */
export const deviceLook = deviceTool('device_look', 0)
export const deviceChange = deviceTool('device_change', 3)

function deviceTool(name: string, floor: ToolFacts['floor']): ToolFacts {
  const look = baseTools.find('look') as ToolFacts
  return {
    ...look,
    name,
    floor,
    runs: 'node',
    definition: sha256Hex(name),
    effect: floor === 0 ? 'pure' : 'once',
  }
}

export async function openNodeBench(
  replies: Replies,
  given: Pick<NodeParts, 'limits' | 'checkpointEveryMs'> & { readonly tools?: readonly ToolFacts[] } = {},
) {
  const database = await startTestDatabase()
  const home = mkdtempSync(join(tmpdir(), 'countersign-nodes-'))
  const paths = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
  const identity = establishHost(paths, 'host', new Date())
  const { trust, device } = identity
  const { operator } = trust
  const gatewayKey = readKey(gatewayKeyPath(paths))
  const problems: unknown[] = []
  const onProblem = (problem: unknown) => problems.push(problem)
  const clock = () => new Date()
  const sign = (text: string) => signText(gatewayKey.privateKey, text)
  const kernelClosers: (() => Promise<void>)[] = []
  /** What reached the executor of this computer. */
  const here: Permit[] = []

  async function open() {
    const opened = await openKernel({
      connection: database.connection,
      operator,
      gateway: { id: trust.gateway.id, key: gatewayKey },
      clock,
      uuid: randomUUIDv7,
      onProblem,
    })
    const deviceAccess = createDeviceAccess({
      trust,
      paths,
      hostName: 'host',
      publicOrigins: [],
      storage: opened,
      clock,
      uuid: randomUUIDv7,
      onProblem,
    })
    const tools = given.tools ?? [deviceLook, deviceChange]
    const runsOnNode = (name: string) => tools.some((tool) => tool.name === name)
    const nodes = createNodes({
      runsOnNode,
      trust,
      statementFile: paths.devices,
      deviceAccess,
      storage: opened,
      sign,
      ledger: createWitnessing({
        kernel: { gateway: trust.gateway.id, witnesses: opened.witnesses },
        believed: deviceAccess.believed,
        names: deviceAccess.names,
        elsewhere: [],
        seals: deviceAccess.seals,
        clock,
      }),
      clock,
      uuid: randomUUIDv7,
      onProblem,
      ...(given.limits ? { limits: given.limits } : {}),
      ...(given.checkpointEveryMs === undefined ? {} : { checkpointEveryMs: given.checkpointEveryMs }),
    })
    const own: ExecutorPort = {
      identity: { executor: trust.executor.id, key: sha256Hex('executor') },
      resolve: (_operator, calls) => Promise.resolve(calls.map(() => undefined)),
      async execute(permits, _signal, replied) {
        for (const [index, permit] of permits.entries()) {
          here.push(permit)
          replied(index, { kind: 'refused', reason: 'nothing runs here' })
        }
        await Promise.resolve()
      },
      setWorld: () => undefined,
    }
    const kernel = await opened.start({
      tools: {
        open: () =>
          Promise.resolve({
            ...baseTools,
            find: (name) => tools.find((tool) => tool.name === name) ?? baseTools.find(name),
            list: () => [...tools, ...baseTools.list()],
          }),
      },
      recordExecutor: { ...own, identity: { ...own.identity, executor: idFrom('exe', randomUUIDv7()) } },
      assistant: plainAssistant(clock),
      executor: withNodes(own, nodes, runsOnNode),
      model: {
        async *stream(request) {
          const { text = '', calls = [] } = await replies(request)
          const raw = calls.map(({ name, args }, index) => ({
            id: `m${index}`,
            name,
            args: typeof args === 'string' ? args : JSON.stringify(args),
          }))
          const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
          yield { type: 'end', reply: { text, calls: raw, finish: 'stop', usage, model: 'scripted' } }
        },
      },
      policy: { autonomy: 'high', files: [] },
      devices: await deviceAccess.devices(),
      seals: deviceAccess.seals,
      onFatal: onProblem,
      sweepEveryMs: 200,
    })
    const views = createViews({ read: kernel.readOnly, clock, redact: (text) => text })
    const server = await startServer({
      kernel,
      operator,
      views,
      ledger: createLedger({ read: kernel.readOnly, clock, zone: 'UTC', redact: (text) => text }),
      port: 0,
      anyNextPort: false,
      reachedAt: { publicOrigins: [], trustedProxies: [] },
      onLockout: () => undefined,
      version: '0',
      clock,
      sign,
      tools: { admin: undefined as never, secretNames: () => Promise.resolve([]) },
      secrets: undefined as never,
      nodes: nodes.gate,
      routes: [
        (app) => deviceAccess.addRoutes(app),
        (app) => addNodeRoutes(app, { nodes, pairing: deviceAccess.pairing }),
      ],
      address: () => Promise.reject(new Error('nobody is addressed here')),
      pages: null,
      status: () => Promise.reject(new Error('nobody asks for the state here')),
      onProblem,
    })
    const watcher = await deviceAccess.follow({ server, forgetRevoked: () => Promise.resolve() })
    kernelClosers.push(async () => {
      watcher.close()
      await nodes.close()
      await server.close()
      await kernel.close()
      await opened.close()
    })
    return { kernel, views, server, nodes }
  }

  let life = await open()
  const client = () =>
    createClient({ url: life.server.url, signer: fileSigner(identity), fetch: nodeTransport })

  function signed(statement: TrustStatement): SignedStatement {
    const signature = signText(device.keys.privateKey, statementText(statement))
    return { statement, by: { device: device.id, signature }, passkey: null }
  }

  const common = () => ({ v: 1 as const, gateway: trust.gateway.id, at: new Date().toISOString() })

  const bench = {
    identity,
    paths,
    problems,
    here,
    signed,
    common,
    client,
    url: () => life.server.url,
    kernel: (): Kernel => life.kernel,
    /** A request as the program of a new node makes it. */
    async ask(name: string, keys = generateKey()) {
      const info = await post<{ root: { key: string } }>(`${life.server.url}/v1/nodes/pairing`)
      const nonce = randomBytes(16).toString('base64url')
      const bound = { gateway: trust.gateway.key, root: info.root.key, node: keys.publicKey }
      const signature = signText(keys.privateKey, nodePairingText(bound, nonce))
      const body = { key: keys.publicKey, name, platform: 'linux', nonce, signature }
      const requested = await post<{
        id: string
        node: BelievedNode['id']
        executor: BelievedNode['executor']
      }>(`${life.server.url}/v1/nodes/pairing/requests`, body)
      return { ...requested, keys, body }
    },
    state: (id: string) =>
      post<{ state: string; signed: SignedStatement | null }>(
        `${life.server.url}/v1/nodes/pairing/requests/${id}`,
      ),
    nodeStatement(
      asked: { node: BelievedNode['id']; executor: BelievedNode['executor'] },
      key: string,
      name: string,
    ) {
      const { node, executor } = asked
      return { ...common(), kind: 'node' as const, node, executor, key, name, platform: 'linux' }
    },
    /** Without a request, which are few in a minute. */
    async pair(name: string): Promise<PairedNode> {
      const keys = generateKey()
      const asked = { node: idFrom('node', randomUUIDv7()), executor: idFrom('exe', randomUUIDv7()) }
      const statement = bench.nodeStatement(asked, keys.publicKey, name)
      await client().stateDevice(signed(statement))
      const { node: id, executor } = asked
      const { key, platform, at } = statement
      return {
        keys,
        node: { id, executor, key, name, platform, addedAt: at, revokedAt: null, statedAt: at },
      }
    },
    connect: (paired: PairedNode, more: Partial<ScriptedNodeOptions> = {}): Promise<ScriptedNode> =>
      connectNode({ url: life.server.url, gateway: trust.gateway, ...paired, ...more }),
    /** Until the gateway has it among those that are there. */
    async online(paired: PairedNode, more: Partial<ScriptedNodeOptions> = {}): Promise<ScriptedNode> {
      const node = await bench.connect(paired, more)
      await node.hears('world')
      await bench.until(async () => (await bench.view(paired)).online)
      return node
    },
    async view({ node }: PairedNode) {
      const found = (await client().nodes()).nodes.find(({ id }) => id === node.id)
      if (!found) throw new Error(`${node.name} is not listed`)
      return found
    },
    revoke: ({ node }: PairedNode) =>
      client().stateDevice(signed({ ...common(), kind: 'revoke', target: node.id })),
    async say(text: string): Promise<RunId> {
      const admitted = await life.kernel.admit(operator, {
        key: randomUUIDv7(),
        session: null as never,
        text,
        mode: 'auto',
        requester: { kind: 'operator', id: 'host' },
      })
      return admitted.run as RunId
    },
    detail: (run: RunId): Promise<RunDetail> => life.views.run(operator, run),
    async settled(run: RunId, state: 'stopped' | 'parked' = 'stopped'): Promise<RunDetail> {
      await bench.until(async () => (await bench.detail(run)).run.state === state)
      return bench.detail(run)
    },
    /** Approves what waits, with the host's own device. */
    async approve(): Promise<Permit['subject']> {
      const [approval] = await life.views.approvals(operator, { state: 'pending' })
      if (!approval) throw new Error('nothing waits')
      const { subject } = await life.kernel.approval(operator, approval.id)
      const parsed = JSON.parse(subject) as Permit['subject']
      const digest = digestOf(parsed)
      const decidedAt = new Date().toISOString()
      const signature = signText(device.keys.privateKey, sealText(digest, device.id, decidedAt))
      const seal = { by: 'device' as const, device: device.id, decidedAt, signature }
      const decider = { kind: 'operator' as const, id: 'host', reach: 3 as const }
      await life.kernel.decide(operator, approval.id, { verdict: 'approve', digest, seal }, decider)
      return parsed
    },
    /** Waits for what has no event of its own here. */
    async until(holds: () => Promise<boolean>): Promise<void> {
      for (let looks = 0; !(await holds()); looks += 1) {
        if (looks > 6_000) throw new Error('it did not come to be')
        await sleep(10)
      }
    },
    entries: async (type: string) => {
      const entries: { readonly type: string; readonly data: JsonObject }[] = []
      for await (const line of await life.kernel.exportLedger(operator)) {
        const entry: unknown = JSON.parse(line)
        if (typeof entry === 'object' && entry !== null && Reflect.get(entry, 'type') === type)
          entries.push(entry as never)
      }
      return entries
    },
    /** What the run took in, as it stands in the database. */
    async labelOf(run: RunId): Promise<Label> {
      const client = new pg.Client({ ...database.administrator, database: 'countersign' })
      await client.connect()
      try {
        const { rows } = await client.query<{ label: Label }>(
          'select label from countersign.runs where id = $1',
          [run],
        )
        if (!rows[0]) throw new Error(`${run} is not there`)
        return rows[0].label
      } finally {
        await client.end()
      }
    },
    /** As after a restart of the gateway: nothing is remembered but what is written. */
    async reopen(): Promise<void> {
      await kernelClosers.pop()?.()
      life = await open()
    },
    async close(): Promise<void> {
      for (const close of kernelClosers) await close()
      await database.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return bench
}

export const callTo = (name: string, tool = 'device_look') => ({
  name: tool,
  args: { [nodeArgument]: name } as JsonObject,
})

async function post<T>(url: string, body?: unknown): Promise<T> {
  const response = await fetch(
    url,
    body === undefined
      ? undefined
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer as T
}
