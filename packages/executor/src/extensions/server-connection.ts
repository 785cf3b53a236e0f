/**
 * Owns one conversation with a server by the Model Context Protocol. The server is not trusted. It is offered no model and
 * no folders, and questions to the operator only where they can be put. What it is asked ends in a bounded time.
 */
import type { AskOperator, JsonValue, ListedTool, ServerReply } from '@countersign/contract'
import {
  ownToolPrefix,
  type ServedSkill,
  type ServerAnswer,
  type ServerCall,
  type SkillWish,
} from '@countersign/tools'
import { Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import {
  type AnswerText,
  promptAnswer,
  promptList,
  resourceAnswer,
  resourceList,
  toolAnswer,
} from './answer-text.ts'
import { type CallClock, startCallClock } from './call-clock.ts'
import { listTools } from './listing.ts'
import { serverLimits } from './server-limits.ts'
import type { OpenCall, ServerQuestions } from './server-questions.ts'
import { readServedSkill, UnfitSkill } from './server-skills.ts'
import type { BoundedTransport } from './stream-transport.ts'

export interface ServerConnection {
  /** Asks again when it said that something changed, or long enough after the last time. Rejects with words for a person. */
  list(signal: AbortSignal, isFresh?: boolean): Promise<readonly ListedTool[]>
  readonly title: string
  /** Rejects with words for a person. */
  skill(wish: SkillWish, signal: AbortSignal): Promise<ServedSkill>
  /** Never rejects. */
  call(call: ConnectionCall): Promise<ServerAnswer>
  isOpen(): boolean
  close(): Promise<void>
}

export type ServerWaits = Readonly<Record<'startMs' | 'silentMs' | 'callMs', number>> & {
  readonly questionMs?: number
}

export type ConnectionCall = Pick<ServerCall, 'tool' | 'input' | 'signal'> & {
  /** Left out where nobody can be asked for this call. */
  readonly ask?: AskOperator | undefined
}

export interface ConnectionParts {
  readonly now: () => number
  readonly waits?: ServerWaits | undefined
  /** Left out where the server is not told that it may ask. */
  readonly questions?: ServerQuestions | undefined
}

/** Rejects with words for a person where it does not come to a conversation. */
export async function connectServer(
  transport: BoundedTransport,
  signal: AbortSignal,
  { now, waits = serverLimits, questions }: ConnectionParts,
): Promise<ServerConnection> {
  const client = askingClient(questions)
  const state: ConversationState = { isOpen: true, underWay: 0, listed: undefined }
  client.onclose = () => {
    state.isOpen = false
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    state.listed = undefined
  })
  try {
    await client.connect(transport, { signal, timeout: waits.startMs })
  } catch (error) {
    await client.close().catch(() => undefined)
    throw new Error(problemOf(transport, error))
  }
  const talk: Conversation = { client, transport, state, questions, now }
  return {
    title: titleOf(client),
    isOpen: () => state.isOpen,
    close: () => close(talk),
    list: (stop, isFresh = false) =>
      busy(talk, async () => {
        const { listed } = state
        const isKnown = listed !== undefined && now() - listed.at < serverLimits.listedForMs
        return listed && isKnown && !isFresh ? listed.tools : listNow(talk, stop, now)
      }),
    skill: (wish, stop) => busy(talk, () => skillNow(talk, wish, { signal: stop, timeout: waits.startMs })),
    call: (call) => busy(talk, () => answerOf(talk, call, waits)),
  }
}

const longestTimer = 2 ** 31 - 1

interface ConversationState {
  isOpen: boolean
  underWay: number
  listed: { readonly tools: readonly ListedTool[]; readonly at: number } | undefined
}

interface Conversation {
  readonly client: Client
  readonly transport: BoundedTransport
  readonly state: ConversationState
  readonly questions: ServerQuestions | undefined
  readonly now: () => number
}

/** It asks, and answers nothing but what the operator says to a question. */
function askingClient(questions: ServerQuestions | undefined): Client {
  const client = new Client(
    { name: 'countersign', version: '1' },
    {
      capabilities: questions ? { elicitation: { form: {} } } : {},
      // What it promises of its answers is not relied on, so nothing that it wrote is compiled.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
  // Not as a handler of its own: the library would refuse what it does not understand, and nobody would know of it.
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (!questions || method !== 'elicitation/create')
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    return told(await questions.ask(params, mcpReq.signal))
  }
  return client
}

/** Why nothing was answered is not said to the server. */
function told(reply: ServerReply): Record<string, unknown> {
  switch (reply.kind) {
    case 'accepted':
      return { action: 'accept', content: reply.values }
    case 'declined':
      return { action: 'decline' }
    case 'cancelled':
      return { action: 'cancel' }
  }
}

/** What it says is counted for each call, or for all that are under way at once. */
async function busy<T>({ transport, state }: Conversation, work: () => Promise<T>): Promise<T> {
  if (state.underWay === 0) transport.listenAnew()
  state.underWay += 1
  try {
    return await work()
  } finally {
    state.underWay -= 1
    if (state.underWay === 0) transport.listenAnew()
  }
}

async function close({ client, state }: Conversation): Promise<void> {
  state.isOpen = false
  await client.close().catch(() => undefined)
}

async function listNow(
  talk: Conversation,
  signal: AbortSignal,
  now: () => number,
): Promise<readonly ListedTool[]> {
  try {
    const tools = await listTools(talk.client, { signal })
    talk.state.listed = { tools, at: now() }
    return tools
  } catch (error) {
    const why = problemOf(talk.transport, error)
    await close(talk)
    throw new Error(why)
  }
}

async function skillNow(
  talk: Conversation,
  wish: SkillWish,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ServedSkill> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(serverLimits.callMs)])
  try {
    return await readServedSkill(talk.client, wish, { ...options, signal })
  } catch (error) {
    const why = problemOf(talk.transport, error)
    // What it says may be wrong; what it says no more nobody waits for.
    if (!(error instanceof UnfitSkill || error instanceof ProtocolError)) await close(talk)
    throw new Error(why)
  }
}

async function answerOf(talk: Conversation, call: ConnectionCall, waits: ServerWaits): Promise<ServerAnswer> {
  const clock = startCallClock(waits, talk.now)
  const open = talk.questions?.open({ ask: call.ask, signal: call.signal, clock })
  try {
    return withNotes(await ask(talk.client, call, clock), open)
  } catch (error) {
    // It answered, and said no.
    if (error instanceof ProtocolError) {
      const text = error.message.slice(0, 2000).toWellFormed()
      return withNotes({ kind: 'answered', isError: true, text, truncated: false }, open)
    }
    const why = problemOf(talk.transport, clock.signal.aborted ? clock.signal.reason : error)
    await open?.end()
    // Whatever it does now, nobody listens: a server that hangs is not asked again.
    await close(talk)
    return withNotes({ kind: 'silent', reason: `The server gave no answer: ${why}` }, open)
  } finally {
    clock.stop()
    await open?.end()
  }
}

function withNotes(answer: ServerAnswer, open: OpenCall | undefined): ServerAnswer {
  const notes = open?.notes() ?? []
  return notes.length === 0 ? answer : { ...answer, notes }
}

function problemOf(transport: BoundedTransport, error: unknown): string {
  return transport.problem() ?? messageOf(error)
}

async function ask(
  client: Client,
  { tool, input, signal }: ConnectionCall,
  clock: CallClock,
): Promise<ServerAnswer> {
  const options = {
    signal: AbortSignal.any([signal, clock.signal]),
    // Our own clock ends it, which does not run while the operator is asked.
    timeout: longestTimer,
    onprogress: clock.heard,
  }
  const answered = (answer: AnswerText, isError = false): ServerAnswer => ({
    kind: 'answered',
    isError,
    ...answer,
  })
  if (!tool.startsWith(ownToolPrefix)) {
    const result = await client.callTool({ name: tool, arguments: input }, options)
    return answered(toolAnswer(result), result.isError === true)
  }
  switch (tool.slice(ownToolPrefix.length)) {
    case 'list_resources':
      return answered(resourceList(await client.listResources(undefined, options)))
    case 'read_resource':
      return answered(resourceAnswer(await client.readResource({ uri: wordOf(input['uri']) }, options)))
    case 'list_prompts':
      return answered(promptList(await client.listPrompts(undefined, options)))
    default:
      return answered(promptAnswer(await client.getPrompt(promptWish(input), options)))
  }
}

function promptWish(input: ServerCall['input']): { name: string; arguments?: Record<string, string> } {
  const { name, arguments: given } = input
  const words = Object.entries(given ?? {}).map(([key, value]): [string, string] => [key, String(value)])
  return { name: wordOf(name), ...(words.length === 0 ? {} : { arguments: Object.fromEntries(words) }) }
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function titleOf(client: Client): string {
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return `${name} ${version}`.trim().replaceAll(/\s+/g, ' ').slice(0, 200).toWellFormed() || 'A server'
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500).toWellFormed()
}
