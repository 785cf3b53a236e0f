/**
 * Owns one conversation with a server by the Model Context Protocol. The server is not trusted: it is asked, and asks
 * nothing. It is offered no model, no folders and no questions to the operator. What it is asked ends in a bounded time.
 */
import type { JsonValue, ListedTool } from '@countersign/contract'
import { ownToolPrefix, type ServerAnswer, type ServerCall } from '@countersign/tools'
import { Client, ProtocolError } from '@modelcontextprotocol/client'
import {
  type AnswerText,
  promptAnswer,
  promptList,
  resourceAnswer,
  resourceList,
  toolAnswer,
} from './answer-text.ts'
import { listTools } from './listing.ts'
import { serverLimits } from './server-limits.ts'
import type { BoundedTransport } from './stream-transport.ts'

export interface ServerConnection {
  /** Asks again when it said that something changed, or long enough after the last time. Rejects with words for a person. */
  list(signal: AbortSignal, isFresh?: boolean): Promise<readonly ListedTool[]>
  readonly title: string
  /** Never rejects. */
  call(call: Pick<ServerCall, 'tool' | 'input' | 'signal'>): Promise<ServerAnswer>
  isOpen(): boolean
  close(): Promise<void>
}

export type ServerWaits = Readonly<Record<'startMs' | 'silentMs' | 'callMs', number>>

/** Rejects with words for a person where it does not come to a conversation. */
export async function connectServer(
  transport: BoundedTransport,
  signal: AbortSignal,
  { now, waits = serverLimits }: { readonly now: () => number; readonly waits?: ServerWaits | undefined },
): Promise<ServerConnection> {
  const client = askingClient()
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
  const talk: Conversation = { client, transport, state }
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
    call: (call) => busy(talk, () => answerOf(talk, call, waits)),
  }
}

interface ConversationState {
  isOpen: boolean
  underWay: number
  listed: { readonly tools: readonly ListedTool[]; readonly at: number } | undefined
}

interface Conversation {
  readonly client: Client
  readonly transport: BoundedTransport
  readonly state: ConversationState
}

/** It asks, and answers nothing. */
function askingClient(): Client {
  return new Client(
    { name: 'countersign', version: '1' },
    {
      capabilities: {},
      // What it promises of its answers is not relied on, so nothing that it wrote is compiled.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
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

async function answerOf(
  talk: Conversation,
  call: Pick<ServerCall, 'tool' | 'input' | 'signal'>,
  waits: ServerWaits,
): Promise<ServerAnswer> {
  try {
    return await ask(talk.client, call, waits)
  } catch (error) {
    // It answered, and said no.
    if (error instanceof ProtocolError) {
      const text = error.message.slice(0, 2000).toWellFormed()
      return { kind: 'answered', isError: true, text, truncated: false }
    }
    const why = problemOf(talk.transport, error)
    // Whatever it does now, nobody listens: a server that hangs is not asked again.
    await close(talk)
    return { kind: 'silent', reason: `The server gave no answer: ${why}` }
  }
}

function problemOf(transport: BoundedTransport, error: unknown): string {
  return transport.problem() ?? messageOf(error)
}

async function ask(
  client: Client,
  { tool, input, signal }: Pick<ServerCall, 'tool' | 'input' | 'signal'>,
  { silentMs, callMs }: ServerWaits,
): Promise<ServerAnswer> {
  const options = {
    signal,
    timeout: silentMs,
    maxTotalTimeout: callMs,
    resetTimeoutOnProgress: true,
    onprogress: () => undefined,
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
