/**
 * Owns the conversation with a coding agent over the Agent Client Protocol. The agent is not trusted: whatever it says is
 * counted, bounded and told as its own words. It is offered no files and no terminal of ours, so that it works by itself
 * inside its sandbox; what it asks permission for is answered by where it would act, and never by its words.
 */
import { Readable, Transform, Writable } from 'node:stream'
import * as acp from '@agentclientprotocol/sdk'
import { sandboxWorkspace } from '../sandbox/layout.ts'
import type { SandboxStreams } from '../sandbox/port.ts'
import { agentLimits } from './limits.ts'

export interface ConversationRecord {
  /** Its own words, the beginning of them. */
  text: string
  /** One line for each thing that it did, as it called it. */
  readonly steps: string[]
  permissions: { allowed: number; refused: number }
  flooded: boolean
  /** Why it stopped by itself; null while it has not. */
  stop: acp.StopReason | null
  problem: string | null
}

export function emptyRecord(): ConversationRecord {
  return {
    text: '',
    steps: [],
    permissions: { allowed: 0, refused: 0 },
    flooded: false,
    stop: null,
    problem: null,
  }
}

/** Resolves when the agent has stopped, or can say no more. */
export async function converse(
  { stdin, stdout }: SandboxStreams,
  task: { readonly cwd: string; readonly prompt: string },
  record: ConversationRecord,
  stepped: (line: string) => void = () => undefined,
): Promise<void> {
  const app = acp
    .client({ name: 'countersign' })
    .onRequest('session/request_permission', ({ params }) => answered(params, record))
    .onNotification('session/update', ({ params }) => note(params.update, record, stepped))
  const input = stdout.pipe(bounded(record))
  const stream = acp.ndJsonStream(
    Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as unknown as ReadableStream<Uint8Array>,
    { maxMessageBytes: agentLimits.maxMessageBytes },
  )
  try {
    await app.connectWith(stream, async (agent) => {
      await agent.request('initialize', {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'countersign', version: '1' },
      })
      const cwd = task.cwd === '.' ? sandboxWorkspace : `${sandboxWorkspace}/${task.cwd}`
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] })
      const { stopReason } = await agent.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: task.prompt }],
      })
      record.stop = stopReason
    })
  } catch (error) {
    record.problem = (error instanceof Error ? error.message : String(error)).slice(0, 500)
  }
}

/** What is inside the sandbox is its own to touch: nothing of it counts before it was judged. All else is refused. */
function answered(
  { toolCall, options }: acp.RequestPermissionRequest,
  record: ConversationRecord,
): acp.RequestPermissionResponse {
  const isInside =
    insideKinds.has(toolCall.kind ?? 'other') &&
    (toolCall.locations ?? []).every(({ path }) => isWorkspacePath(path))
  const wanted = isInside ? 'allow_once' : 'reject_once'
  // Never one that lasts: what comes next is answered by itself.
  const option = options.find(({ kind }) => kind === wanted)
  record.permissions[isInside && option ? 'allowed' : 'refused'] += 1
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}

const insideKinds: ReadonlySet<acp.ToolKind> = new Set<acp.ToolKind>([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
])

function isWorkspacePath(path: string): boolean {
  return (
    !path.split('/').includes('..') &&
    (path === sandboxWorkspace || path.startsWith(`${sandboxWorkspace}/`) || !path.startsWith('/'))
  )
}

function note(update: acp.SessionUpdate, record: ConversationRecord, stepped: (line: string) => void): void {
  if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
    const left = agentLimits.maxTextCharacters - record.text.length
    if (left > 0) record.text += update.content.text.slice(0, left)
    return
  }
  if (update.sessionUpdate !== 'tool_call' || record.steps.length >= agentLimits.maxSteps) return
  const line = `${update.kind ?? 'other'}: ${update.title.replaceAll(/\s+/g, ' ').slice(0, 200)}`
  record.steps.push(line)
  stepped(line)
}

/** Ends the stream when too much was said: an agent that floods is cut, and its task says so. */
function bounded(record: ConversationRecord): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= agentLimits.maxSaidBytes) return done(null, chunk)
      record.flooded = true
      done(new Error('The agent said more than is listened to.'))
    },
  })
}
