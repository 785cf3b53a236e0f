/**
 * Owns what attacks are played on: the real gateway with a model that follows a plan, and servers that remember what
 * reached them. One ordinary installation is shared by all attacks that need no other; plans are told apart by their code word.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ActKind, AskedItem, RunDetail } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import type { ReplyCall, Script, ScriptTurn } from '@countersign/model-servers'

export type Turn = readonly ReplyCall[]
/** Each turn is the calls of one reply. A function is given the texts of the results so far, turn by turn, and may take its time. */
export type RunPlan = readonly (Turn | ((results: readonly (readonly string[])[]) => Turn | Promise<Turn>))[]

export interface PlayedRun {
  readonly id: string
  readonly session: string
  readonly detail: RunDetail
}

export interface Scene {
  readonly installation: Installation
  readonly gateway: GatewayProcess
  /** The model makes these calls when a message begins with the code word. */
  plan(word: string, turns: RunPlan): void
  /** Sends a message and waits until its run has stopped or waits for somebody. */
  run(text: string, session?: string | null): Promise<PlayedRun>
  /** The operator approves with the device of the host. The run goes on until it stops or waits again. */
  approve(run: PlayedRun, index?: number): Promise<PlayedRun>
  /** What the model lists when it reads such a message for what it asks for; left out, nothing. */
  wish(word: string, ...items: AskedItem[]): void
  /** The kinds of acts that it says such a message asks for; left out, they cannot be read. */
  asks(word: string, ...kinds: ActKind[]): void
  /** What it says would have to be looked up for such a message; left out, nothing. */
  looksUp(word: string, ...questions: string[]): void
  /** All that the model was shown when it last read such a message for that. */
  readFor(word: string): ScriptTurn | undefined
  /** All that the model was shown when it last answered a message that begins with the code word. */
  shown(word: string): string
  /** Waits until a run that something else began has stopped or waits for somebody. */
  settled(run: string): Promise<RunDetail>
}

export interface SceneOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly home?: string
  /** Its time can be set ahead. */
  readonly passing?: boolean
  /** For a gateway that is not what it should be. */
  readonly nodeArguments?: readonly string[]
}

export interface Listener {
  readonly port: number
  readonly seen: readonly ListenerRequest[]
}

export interface ListenerRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

export interface Stage {
  /** Arguments with which every Node process that an attack starts must be started, so that a mutant is in it. */
  readonly nodeArguments: readonly string[]
  /** The installation that attacks share. Listeners that were opened before its first use are reachable from it. */
  scene(): Promise<Scene>
  /** An installation of its own, for an attack that needs other settings. */
  ownScene(options?: SceneOptions): Promise<Scene>
  /** A server on loopback. `ownScene` must name it in COUNTERSIGN_LOCAL_TARGETS to be let through. */
  listen(answer?: string): Promise<Listener>
  /** Called at the end of the attack, last first. */
  afterwards(undo: () => unknown): void
}

export interface Stages {
  /** Runs one attack and cleans up after it. */
  within<T>(act: (stage: Stage) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createStages(mutation: string | undefined): Stages {
  const nodeArguments =
    mutation === undefined ? [] : ['--disable-warning=ExperimentalWarning', '--import', mutation]
  let shared: Promise<Scene> | undefined
  const open = async ({ environment, home, passing, ...own }: SceneOptions = {}): Promise<Scene> => {
    const plans = new Map<string, RunPlan>()
    const shown = new Map<string, string>()
    const wishes: Wishes = { items: new Map(), kinds: new Map(), questions: new Map(), read: new Map() }
    const all = [...nodeArguments, ...(own.nodeArguments ?? [])]
    const installation = await openInstallation({
      script: scriptOf(plans, shown),
      wishes: wishScript(wishes),
      ...(environment ? { environment } : {}),
      ...(home === undefined ? {} : { home }),
      ...(passing ? { passing } : {}),
      ...(all.length === 0 ? {} : { nodeArguments: all }),
    })
    try {
      return sceneOf(installation, await installation.start(), plans, shown, wishes)
    } catch (error) {
      await installation.close()
      throw error
    }
  }
  return {
    async within(act) {
      const undos: (() => unknown)[] = []
      const shares = async () => {
        const scene = await (shared ??= open())
        undos.push(() => stopWaiting(scene))
        return scene
      }
      try {
        return await act({
          nodeArguments,
          scene: shares,
          async ownScene(options) {
            const scene = await open(options)
            undos.push(() => scene.installation.close())
            return scene
          },
          async listen(answer = 'ok') {
            const { listener, close } = await startListener(answer)
            undos.push(close)
            return listener
          },
          afterwards: (undo) => undos.push(undo),
        })
      } finally {
        for (const undo of undos.toReversed()) await undo()
      }
    },
    async close() {
      const scene = await shared?.catch(() => undefined)
      await scene?.installation.close()
    },
  }
}

/** Only so many requests may be open, so what one attack leaves waiting would keep the next from being asked. */
async function stopWaiting({ gateway: { client } }: Scene): Promise<void> {
  const runs = new Set((await client.approvals({ state: 'pending' })).map(({ run }) => run))
  for (const run of runs) await client.stopRun(run)
}

function sceneOf(
  installation: Installation,
  gateway: GatewayProcess,
  plans: Map<string, RunPlan>,
  shown: ReadonlyMap<string, string>,
  wishes: Wishes,
): Scene {
  const { client } = gateway
  const settled = (id: string) => settledRun(client, id, 'either', 120_000)
  return {
    installation,
    gateway,
    plan: (word, turns) => plans.set(word, turns),
    wish: (word, ...items) => wishes.items.set(word, items),
    asks: (word, ...kinds) => wishes.kinds.set(word, kinds),
    looksUp: (word, ...questions) => wishes.questions.set(word, questions),
    readFor: (word) => wishes.read.get(word),
    shown: (word) => shown.get(word) ?? '',
    settled,
    async run(text, session = null) {
      const sent = await client.send({
        key: crypto.randomUUID(),
        session: session as never,
        text,
        mode: 'auto',
      })
      if (!sent.run) throw new Error(`No run came of: ${text}`)
      return { id: sent.run, session: sent.session, detail: await settled(sent.run) }
    },
    async approve(run, index = 0) {
      const waiting = run.detail.approvals.filter(({ state }) => state === 'pending')
      const approval = waiting[index]
      if (!approval) throw new Error(`Nothing waits to be approved: ${JSON.stringify(run.detail.calls)}`)
      await approve(installation, client, approval.id)
      return { ...run, detail: await settled(run.id) }
    },
  }
}

function scriptOf(plans: ReadonlyMap<string, RunPlan>, shown: Map<string, string>): Script {
  return async ({ lastUser, messages, system }) => {
    const [word = ''] = lastUser.split(' ')
    shown.set(word, JSON.stringify([system, messages]))
    const plan = plans.get(word)
    if (!plan) return { text: 'I have no plan for this.' }
    const from = messages.findLastIndex(({ role, text }) => role === 'user' && text === lastUser)
    const results = messages
      .slice(from)
      .filter(({ role }) => role === 'tool')
      .map((message) => message.results.map(({ text }) => text))
    const turn = plan[results.length]
    if (turn === undefined) return { text: 'Done.' }
    return { text: 'Working.', calls: typeof turn === 'function' ? await turn(results) : turn }
  }
}

interface Wishes {
  readonly items: Map<string, readonly AskedItem[]>
  readonly kinds: Map<string, readonly ActKind[]>
  readonly questions: Map<string, readonly string[]>
  readonly read: Map<string, ScriptTurn>
}

/** The last of the messages that it is shown begins with the code word. */
function wishScript({ items, kinds, questions, read }: Wishes): Script {
  return (turn) => {
    const said = JSON.parse(turn.lastUser) as readonly string[]
    const words = said.map((text) => text.split(/\s/, 1)[0] ?? '')
    const word = words.at(-1) ?? ''
    for (const each of words) read.set(each, turn)
    const listed = {
      items: items.get(word) ?? [],
      kinds: kinds.get(word) ?? null,
      questions: questions.get(word) ?? [],
    }
    return { calls: [{ name: 'asked_for', args: listed }] }
  }
}

async function startListener(answer: string): Promise<{ listener: Listener; close(): Promise<void> }> {
  const seen: ListenerRequest[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    response.setHeader('content-type', 'text/html')
    response.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    listener: { port: (server.address() as AddressInfo).port, seen },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
