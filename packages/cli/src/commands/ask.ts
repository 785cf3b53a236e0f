/** `countersign ask`: one message, one reply. Where the run waits for a person, it says so and leaves, or waits too. */
import { randomUUID } from 'node:crypto'
import {
  type Attachment,
  type ErrorCode,
  errorCatalogue,
  type InputMode,
  Metadata,
  type RunId,
  type SessionId,
  TurnBound,
} from '@countersign/contract'
import { type MessageChoices, openConversation } from '../chat/conversation.ts'
import { retryWords } from '../chat/retry.ts'
import { type ChatOutput, type ChatState, isSettled, progress } from '../chat/state.ts'
import { openChatTerminal } from '../chat/talk.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done, ended, failed } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line, lines, quote } from '../output/safe-text.ts'
import { attach, attachedFiles, readAttachments } from './attach.ts'
import { addressee, sessionId } from './chat.ts'
import { reasoningText } from './run.ts'

export const ask: Handler = async (context, words, options) => {
  const message = words.join(' ')
  if (message.trim() === '') return usage('The message is empty.', 'ask')
  const metadata = metadataOf(options['meta'])
  if (metadata === undefined)
    return usage('Give --meta as name=value; a name has letters, digits, _, . and -.', 'ask')
  const turns = turnsOf(options['turns'])
  if (turns === undefined) return usage('Give --turns as a whole number from 1 to 200.', 'ask')
  // Before anything is sent: a file that cannot go should cost nothing.
  const files = readAttachments(attachedFiles(options.attach))
  const session = typeof options.session === 'string' ? sessionId(options.session) : null
  const mode: InputMode = options.queue === true ? 'queue' : 'auto'
  const gateway = await context.gateway()
  const attached = await attach(context, gateway.client, files)
  if (attached.kind === 'stopped') return attached.answer
  const { attachments } = attached
  const to = {
    ...addressee(options),
    ...turns,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
  const reasoning = options['reasoning'] === true
  const request = { gateway, session, text: message, attachments, mode, to, reasoning }
  return context.interactive && context.flags.waitMs === undefined
    ? inTerminal(context, request)
    : unattended(context, request)
}

interface Request {
  readonly gateway: Gateway
  readonly session: SessionId | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly mode: InputMode
  /** What the model thought is wanted too. */
  readonly reasoning: boolean
  readonly to: MessageChoices
}

/** Nothing where it is no such number. */
function turnsOf(given: OptionValues[string]): TurnBound | undefined {
  if (given === undefined) return {}
  const read = TurnBound.safeParse({
    turns: typeof given === 'string' && given !== '' ? Number(given) : Number.NaN,
  })
  return read.success ? read.data : undefined
}

/** Nothing where one of them is not a name and a value. */
function metadataOf(given: OptionValues[string]): Record<string, string> | undefined {
  const pairs = typeof given === 'string' ? given.split('\0') : []
  const entries = pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)])
  const read = Metadata.safeParse(Object.fromEntries(entries))
  return read.success && pairs.every((pair) => pair.includes('=')) ? read.data : undefined
}

async function unattended(context: Context, request: Request): Promise<CommandAnswer> {
  const { waitMs } = context.flags
  const over = new AbortController()
  const conversation = await openConversation({
    gateway: request.gateway,
    session: request.session,
    to: request.to,
    attachments: request.attachments,
    uuid: randomUUID,
    wait: context.host.wait,
    onChange: (_state, shows) => {
      for (const show of shows) tell(context, show)
    },
    signal: over.signal,
  })
  try {
    const finished = (async () => {
      await conversation.send(request.text, request.mode)
      await conversation.until(waitMs === undefined ? isSettled : isEnded)
    })()
    if (waitMs === undefined) await finished
    else await Promise.race([finished, context.host.wait(waitMs, over.signal)])
    return await outcome(context, conversation.state(), request, waitMs !== undefined)
  } finally {
    over.abort()
  }
}

/** What a person should know while nothing is shown: on stderr, so that the reply stands alone. */
function tell(context: Context, show: ChatOutput): void {
  if (show.kind === 'retry') context.note(line(retryWords(show.retry, context.host.clock())))
  if (show.kind === 'warning') context.note(line(show.text))
}

async function inTerminal(context: Context, request: Request): Promise<CommandAnswer> {
  const { conversation, converse, close } = await openChatTerminal({
    context,
    gateway: request.gateway,
    session: request.session,
    to: request.to,
    attachments: request.attachments,
    letters: true,
    prompts: 'when-asked',
  })
  try {
    const left = converse()
    await conversation.send(request.text, request.mode)
    await Promise.race([conversation.until(isEnded), left])
    const answer = await outcome(context, conversation.state(), request, false)
    // The reply has been streamed already.
    return answer.kind === 'done' ? ended(0) : answer
  } finally {
    close()
  }
}

function isEnded(state: ChatState): boolean {
  const { run } = state.own
  return run !== null && progress(state, run).kind === 'ended'
}

async function outcome(
  context: Context,
  state: ChatState,
  { gateway, reasoning }: Request,
  waited: boolean,
): Promise<CommandAnswer> {
  const { input, run } = state.own
  const ids = { session: state.session, run, input }
  const now = run === null ? null : progress(state, run)
  if (run !== null && now?.kind === 'ended') {
    if (now.reason === 'completed') {
      const reply = state.replies[run] ?? (await lastReply(gateway, state.session, run))
      if (!reasoning) return done({ ...ids, reason: now.reason, reply }, lines(reply))
      const detail = await gateway.client.run(run)
      context.note(reasoningText(detail))
      return done({ ...ids, reason: now.reason, reply, reasoning: detail.reasoning }, lines(reply))
    }
    const [type, words] = endings[now.reason]
    const message = now.message === '' ? words : `${words} ${line(now.message)}`
    return failure(type, message, ids, `See what it did with \`countersign run show ${run}\`.`)
  }
  const [waits] = state.waiting
  if (waits?.kind === 'approval') {
    const { code, id, card, expiresAt } = waits.approval
    const message = `${line(code)} waits for you: ${line(card.headline)}`
    return failure(
      waited ? 'timeout' : 'approval_required',
      message,
      { ...ids, code, approval: id, tier: card.tier, expiresAt },
      `Look at it with \`countersign approval show ${line(code)}\`.`,
    )
  }
  if (waits?.kind === 'question') {
    const message = waits.server
      ? `The server ${line(waits.server.server)} asks: ${quote(waits.text)}`
      : `The agent asks: ${line(waits.text)}`
    return failure(
      waited ? 'timeout' : 'approval_required',
      message,
      { ...ids, question: waits.id, choices: waits.choices },
      `Answer with \`countersign question answer ${waits.id}${waits.server ? '' : ' "…"'}\`.`,
    )
  }
  if (run !== null && now?.kind === 'parked' && now.on === 'retry') {
    const message = 'The run is waiting for the model provider. It retries automatically.'
    return failure(
      'timeout',
      message,
      { ...ids, retry: now.retry },
      `Look at it with \`countersign run show ${run}\`.`,
    )
  }
  if (state.paused) return failure('paused', 'Everything is paused. The message is queued.', ids)
  return failure(
    'timeout',
    'The run is not finished yet. It continues in the background.',
    ids,
    run === null ? undefined : `Look at it with \`countersign run show ${run}\`.`,
  )
}

const endings: Readonly<
  Record<'manual' | 'error' | 'limit' | 'budget' | 'denied', readonly [ErrorCode, string]>
> = {
  manual: ['conflict', 'The run was stopped.'],
  error: ['internal', 'The run failed.'],
  limit: ['limit_reached', 'The run reached a limit.'],
  budget: ['budget_exceeded', 'The run reached its budget.'],
  denied: ['denied_by_operator', 'The run ended after a denial.'],
}

function failure(
  type: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
  next?: string,
): CommandAnswer {
  const row = errorCatalogue[type]
  return failed({ type, message, next: next ?? row.next, exit: row.exit, details })
}

/** Where events were skipped, the reply is in the session. */
async function lastReply(gateway: Gateway, session: SessionId | null, run: RunId): Promise<string> {
  if (session === null) return ''
  const { messages } = await gateway.client.session(session)
  return messages.findLast((message) => message.run === run && message.role === 'assistant')?.text ?? ''
}
