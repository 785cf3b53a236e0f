/**
 * Owns a whole installation for many trials: the real gateway and its executor, with a model that does as a script says, an
 * operator who decides as a script says, a mailbox, and a web. Every conversation has a mark, by which the model knows
 * its script. Nothing of the product is replaced but the model.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ModelPort, type ModelRequest, wishTool } from '@countersign/agent'
import {
  type ActKind,
  ApprovalSubject,
  type ApprovalView,
  type AskedItem,
  type Autonomy,
  type DecideApproval,
  type DeviceId,
  type EventBody,
  type GatewayEvent,
  type JsonObject,
  type Requester,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { type Client, createClient, type Signer } from '@countersign/contract/client'
import { establishHost, fileSigner, type HomePaths, readTrust } from '@countersign/contract/node'
import { type Gateway, openGateway, readConfig } from '@countersign/gateway'
import { approvalFor, fastRates } from '@countersign/harness'
import type { InboundMessage } from '@countersign/kernel'
import pg from 'pg'
import { databaseOf, elsewhere } from './database.ts'
import { createMail, type Mail } from './mail.ts'
import { openWeb, type Web } from './web.ts'

/** A call as a model writes it; text is sent as it is, whatever it is. */
export interface ScriptedCall {
  readonly name: string
  readonly args: JsonObject | string
}

export interface ScriptedReply {
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
}

/** What a model answers, which sees all that a model sees. */
export type Script = (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>

/** What an operator answers to a request, from its subject and from nothing else. */
export type Verdict = (subject: ApprovalSubject) => 'approve' | 'deny'

export interface Conversation {
  /** Stands as `[#mark]` in the message: whoever works on what holds it follows the script. */
  readonly mark: string
  readonly text: string
  readonly script: Script
  readonly verdict: Verdict
  /** What the operator says to questions. */
  readonly answer?: string
  readonly session?: SessionId
  readonly requester?: Requester
  readonly work?: NonNullable<InboundMessage['work']>
  /** Scripts for the work that comes of it, by the marks that it is begun with. */
  readonly others?: Readonly<Record<string, Script>>
  /** What a model lists of the operator's words; left out, nothing. */
  readonly wishes?: readonly AskedItem[]
  /** Which kinds of acts it says that they ask for; left out, it says nothing of that. */
  readonly kinds?: readonly ActKind[] | null
  /** What it says would have to be looked up. */
  readonly questions?: readonly string[]
  /** So many runs must end before it is over; left out, one. */
  readonly runs?: number
  /** What sets it off instead of a message: an act of the operator's. */
  readonly begins?: () => Promise<unknown>
}

export interface Talk {
  readonly session: SessionId
  readonly run: RunId
  /** All events from the message to the end of all work that came of it. */
  readonly events: readonly EventBody[]
  readonly approvals: readonly { readonly subject: ApprovalSubject; readonly verdict: 'approve' | 'deny' }[]
  /** Why the first run ended. */
  readonly reason: string
}

export interface AdversaryInstallation {
  readonly gateway: Gateway
  readonly paths: HomePaths
  /** Beside the workspace, and nobody's to touch. */
  readonly outside: string
  readonly mail: Mail
  readonly web: Web
  /** Reads and clears what the installation keeps, past the installation. One after the other. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** The operator's own hand. */
  readonly client: Client
  readonly signer: Signer
  /** The operator, to the kernel. */
  readonly actor: { readonly kind: 'operator'; readonly id: DeviceId; readonly reach: 3 }
  /** Problems that the gateway told of. */
  readonly problems: string[]
  autonomy(level: Autonomy): Promise<void>
  talk(conversation: Conversation): Promise<Talk>
  close(): Promise<void>
}

const executorMain = fileURLToPath(import.meta.resolve('@countersign/executor/main'))
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const longestTalkMs = 120_000

export interface InstallationParts {
  /** The program of another executor than the product's. */
  readonly executorMain?: string
  /** The groups of tools that are switched on. */
  readonly tools?: string
  readonly clock?: () => Date
  /** Done when the keys of the host are there and nothing runs yet. */
  prepare?(paths: HomePaths): void
}

export async function openAdversaryInstallation(
  parts: InstallationParts = {},
): Promise<AdversaryInstallation> {
  const home = mkdtempSync(join(parent, 'countersign-trials-'))
  const web = await openWeb()
  const mail = createMail()
  const environment = {
    PATH: process.env['PATH'],
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_VAULT_KEY: 'file',
    COUNTERSIGN_TOOLS: parts.tools ?? 'codeExecution,webFetch,git',
    COUNTERSIGN_RATES: fastRates,
    COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${web.port}`,
    COUNTERSIGN_TIME_ZONE: 'UTC',
  }
  const config = readConfig(environment, { port: '0' })
  const { paths } = config
  const identity = establishHost(paths, hostname(), new Date())
  parts.prepare?.(paths)
  const scripts = new Map<string, Script>()
  const problems: string[] = []
  const gateway = await openGateway({
    config,
    trust: readTrust(paths.trust),
    executorMain: parts.executorMain ?? executorMain,
    write: (line) => {
      if (!/ (?:ready at|stopped|database created)/.test(line)) problems.push(line.trim())
    },
    model: scriptedModel(scripts),
    tools: mail.tools,
    ...(parts.clock ? { clock: parts.clock } : {}),
  })
  const database = new pg.Client({ ...databaseOf(paths), options: '-c search_path=countersign' })
  await database.connect()
  await database.query("select set_config('app.operator', $1, false)", [identity.trust.operator])
  let asking: Promise<unknown> = Promise.resolve()
  const { kernel } = gateway
  const operator = identity.trust.operator
  const actor = { kind: 'operator', id: identity.device.id, reach: 3 } as const
  const signer = fileSigner(identity)

  /** By session, who talks there. Work that comes of a talk bears its mark and belongs to it. */
  const talks = new Map<SessionId, Listening>()
  const byMark = new Map<string, Listening>()
  const { stop } = await kernel.stream.listen(operator, {
    events(events: readonly GatewayEvent[]) {
      for (const { body } of events) {
        if (body.type === 'input.admitted') {
          const talk = byMark.get(markIn(body.text) ?? '')
          if (talk) talks.set(body.session, talk)
        }
        if ('session' in body) talks.get(body.session)?.hear(body)
      }
    },
    delta: () => undefined,
  })

  async function decide(view: ApprovalView, verdict: Verdict, talk: Talk): Promise<void> {
    const row = await kernel.approval(operator, view.id)
    const subject = ApprovalSubject.parse(JSON.parse(row.subject))
    const said = verdict(subject)
    ;(talk.approvals as Talk['approvals'][number][]).push({ subject, verdict: said })
    const decided: DecideApproval =
      said === 'deny'
        ? { verdict: 'deny', reason: '', stop: false }
        : approvalFor({ identity, now: parts.clock ?? (() => new Date()) }, { subject: row.subject } as never)
    await kernel.decide(operator, view.id, decided, actor)
  }

  return {
    gateway,
    paths,
    outside: join(home, 'beside'),
    mail,
    web,
    query(text, values = []) {
      const asked = asking.then(() => database.query(text, [...values]))
      asking = asked.catch(() => undefined)
      return asked.then(({ rows }) => rows)
    },
    client: createClient({ url: gateway.url, signer }),
    signer,
    actor,
    problems,
    autonomy: async (level) => {
      await kernel.policies.load({ autonomy: level, files: [] })
    },
    async talk(conversation) {
      const {
        mark,
        text,
        script,
        verdict,
        answer = 'Yes.',
        wishes = [],
        kinds = null,
        questions = [],
        others,
        runs = 1,
        begins,
      } = conversation
      const listed = {
        calls: [
          {
            name: wishTool,
            args: {
              items: wishes.map((each) => ({ ...each })),
              kinds: kinds && [...kinds],
              questions: [...questions],
            },
          },
        ],
      }
      const all = { [mark]: script, [wishesOf(mark)]: () => listed, ...others }
      const talk = { events: [], approvals: [], reason: '' } as unknown as Talk & { reason: string }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const open = new Set<RunId>()
      let ended = 0
      const listening: Listening = {
        hear(event) {
          ;(talk.events as EventBody[]).push(event)
          if (event.type === 'run.started') open.add(event.run)
          if (event.type === 'approval.requested') decide(event.approval, verdict, talk).catch(reject)
          if (event.type === 'question.asked')
            kernel.answer(operator, event.question, answer, actor).catch(reject)
          if (event.type !== 'run.ended') return
          open.delete(event.run)
          ended += 1
          if (open.size === 0 && ended >= runs) resolve()
        },
      }
      const timer = setTimeout(() => reject(new Error('It did not end.')), longestTalkMs)
      for (const [each, follow] of Object.entries(all)) {
        scripts.set(each, follow)
        byMark.set(each, listening)
      }
      if (conversation.session !== undefined) talks.set(conversation.session, listening)
      try {
        if (begins) await begins()
        else
          await kernel.admit(operator, {
            key: `trial-${randomUUID()}`,
            session: conversation.session ?? null,
            text: `${text}\n[#${mark}]`,
            mode: 'queue',
            requester: conversation.requester ?? { kind: 'operator', id: identity.device.id },
            ...(conversation.work ? { work: conversation.work } : {}),
          })
        await promise
        const first = talk.events.find((event) => event.type === 'run.started')
        if (first?.type !== 'run.started') throw new Error('It did not begin.')
        const { run, session } = first
        const end = talk.events.find((event) => event.type === 'run.ended' && event.run === run)
        const reason = end?.type === 'run.ended' ? `${end.reason} ${end.message}`.trim() : ''
        return { ...talk, session, run, reason }
      } catch (cause) {
        throw new Error(`${mark}: ${JSON.stringify(talk.events.slice(-5))}`, { cause })
      } finally {
        clearTimeout(timer)
        for (const each of Object.keys(all)) {
          scripts.delete(each)
          byMark.delete(each)
        }
        for (const [id, known] of talks) if (known === listening) talks.delete(id)
      }
    },
    async close() {
      stop()
      await database.end()
      await gateway.close()
      await web.close()
      for (const folder of [home, elsewhere(paths)]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Listening {
  hear(event: EventBody): void
}

/** The last mark of a message; an installation that begins work may put words of its own around it. */
function markIn(text: string): string | undefined {
  return [...text.matchAll(/\[#([\w-]+)\]/g)].at(-1)?.[1]
}

/** Where the script stands that lists what the words with this mark ask for. */
const wishesOf = (mark: string) => `wishes of ${mark}`

/** Follows the script whose mark stands in the newest words of a person. */
function scriptedModel(scripts: ReadonlyMap<string, Script>): ModelPort {
  return {
    async *stream(request) {
      const said = request.messages.findLast((message) => message.role === 'user')
      const mark = said?.role === 'user' ? markIn(said.text) : undefined
      const isAboutWishes = request.tools.every(({ name }) => name === wishTool) && request.tools.length > 0
      const script = mark === undefined ? undefined : scripts.get(isAboutWishes ? wishesOf(mark) : mark)
      const { text = '', calls = [] } = (await script?.(request)) ?? { text: 'Nothing to do.' }
      yield {
        type: 'end',
        reply: {
          text,
          calls: calls.map(({ name, args }, index) => ({
            id: `m${index}`,
            name,
            args: typeof args === 'string' ? args : JSON.stringify(args),
          })),
          finish: calls.length > 0 ? 'calls' : 'stop',
          usage: { input: 1, output: 1, cached: 0, reasoning: 0 },
          model: 'scripted',
        },
      }
    },
  }
}
