/**
 * Owns how a request in the shapes of OpenAI becomes a wish. Pure. What only tunes a model is left alone; what asks for
 * something that would not be done is refused, in words that say what to leave out.
 */
import { CountersignError } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { Program } from '../program-rows.ts'
import { lastWords, longestWords, type Said, type Wish } from '../wish.ts'

export interface ReceivedBody {
  readonly path: string
  readonly text: string
  readonly header: (name: string) => string | undefined
}

export interface ReadRequest {
  readonly wish: Wish
  /** As it was asked for, which is how it is named in the answer. */
  readonly model: string
  readonly streams: boolean
  readonly withUsage: boolean
}

const longestKey = 255

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() })
const Content = z.union([z.string(), z.array(Part)]).nullish()
const Choice = z.union([z.string(), z.looseObject({ type: z.string() })]).nullish()
const Format = z.looseObject({ type: z.string() }).nullish()

const shared = {
  model: z.string().max(200),
  stream: z.boolean().nullish(),
  user: z.unknown().optional(),
  tool_choice: Choice,
}

const ChatRequest = z.looseObject({
  ...shared,
  messages: z.array(z.looseObject({ role: z.string(), content: Content })).min(1),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().nullish(),
  response_format: Format,
  function_call: Choice,
  modalities: z.array(z.string()).nullish(),
})

const ResponsesRequest = z.looseObject({
  ...shared,
  input: z.union([
    z.string(),
    z
      .array(z.looseObject({ type: z.string().optional(), role: z.string().optional(), content: Content }))
      .min(1),
  ]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  background: z.boolean().nullish(),
  text: z.looseObject({ format: Format }).nullish(),
})

type Message = z.infer<typeof ChatRequest>['messages'][number]

export function readChat(program: Program, body: ReceivedBody): ReadRequest {
  const request = parsed(ChatRequest, body)
  if ((request.n ?? 1) !== 1) throw refused('n', 'There is one answer to a question.')
  if (request.modalities?.some((each) => each !== 'text')) throw refused('modalities', 'Answers are texts.')
  requireText('response_format', request.response_format)
  requireChoice('function_call', request.function_call)
  return {
    ...readShared(program, body, request, {
      messages: request.messages,
      conversation: null,
      after: null,
      instructions: '',
    }),
    withUsage: request.stream_options?.include_usage === true,
  }
}

export function readResponses(program: Program, body: ReceivedBody): ReadRequest {
  const request = parsed(ResponsesRequest, body)
  if (request.background === true)
    throw refused(
      'background',
      'Work in the background is not offered: what waits is told at once, and goes on.',
    )
  requireText('text.format', request.text?.format)
  const { conversation, input } = request
  const messages: Message[] =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : input.flatMap(({ role, content }) => (role === undefined ? [] : [{ role, content }]))
  return {
    ...readShared(program, body, request, {
      messages,
      conversation:
        typeof conversation === 'object' && conversation !== null ? conversation.id : (conversation ?? null),
      after: request.previous_response_id?.replace(/^resp_/, '') ?? null,
      instructions: request.instructions ?? '',
    }),
    withUsage: true,
  }
}

interface Given {
  readonly messages: readonly Message[]
  readonly conversation: string | null
  readonly after: string | null
  readonly instructions: string
}

function readShared(
  program: Program,
  { path, text, header }: ReceivedBody,
  request: z.infer<z.ZodObject<typeof shared>>,
  given: Given,
): Omit<ReadRequest, 'withUsage'> {
  requireChoice('tool_choice', request.tool_choice)
  const said = given.messages.flatMap((message, index) =>
    saidIn(message, index === given.messages.length - 1),
  )
  const { words, history } = lastWords(said)
  if (words === '')
    throw new CountersignError('usage', 'The last message must be one of the user, with words in it.')
  if (words.length > longestWords)
    throw new CountersignError('usage', `A question may have at most ${longestWords} characters.`, {
      next: 'Ask for less at once.',
    })
  const instructions = given.messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => textOf(content, false))
  const named = given.conversation ?? header('x-conversation-id') ?? null
  const { user } = request
  return {
    model: request.model,
    streams: request.stream === true,
    wish: {
      agent: agentFor(program, request.model),
      words,
      history,
      instructions: [given.instructions, ...instructions].filter((each) => each !== '').join('\n\n'),
      conversation: key('conversation', named),
      person: typeof user === 'string' && user !== '' ? key('user', user) : null,
      after: given.after,
      bodyHash: sha256Hex(`${path}\n${named ?? ''}\n${text}`),
      retryKey: key('Idempotency-Key', header('idempotency-key') ?? null),
      isRetry: Number(header('x-stainless-retry-count') ?? 0) > 0,
    },
  }
}

function parsed<Shape extends z.ZodType>(shape: Shape, { text }: ReceivedBody): z.output<Shape> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new CountersignError('usage', 'The body is no JSON.', { next: 'Send JSON.' })
  }
  const read = shape.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CountersignError(
    'usage',
    `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not valid'}.`,
  )
}

function agentFor({ agents, name }: Program, model: string): string {
  if (agents.includes(model)) return model
  throw new CountersignError('not_found', `There is no model ${model} for ${name}.`, {
    details: { model },
    next: `Name one of: ${agents.join(', ')}.`,
  })
}

function saidIn({ role, content }: Message, isLast: boolean): Said[] {
  if (role !== 'user' && role !== 'assistant') return []
  return [{ role, text: textOf(content, isLast && role === 'user') }]
}

/** What stands there besides words is refused where it would be overlooked, and left out of what was said before. */
function textOf(content: Message['content'], isAsked: boolean): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(({ type, text, refusal }) => {
      if (text !== undefined) return text
      if (refusal !== undefined) return refusal
      if (isAsked) throw refused(type, 'Only words are taken: no pictures, sounds or files.')
      return ''
    })
    .filter((each) => each !== '')
    .join('\n')
}

function requireText(name: string, format: z.infer<typeof Format>): void {
  if (format && format.type !== 'text')
    throw refused(name, 'Answers are texts, in no form that a caller chooses.')
}

/** Where the model may choose it calls none; where it must call one the caller would wait for what never comes. */
function requireChoice(name: string, choice: z.infer<typeof Choice>): void {
  if (choice === undefined || choice === null || choice === 'auto' || choice === 'none') return
  throw refused(name, 'The tools of the caller are not called: the agent has its own.')
}

function key(what: string, value: string | null): string | null {
  if (value === null || value === '') return null
  if (value.length > longestKey)
    throw new CountersignError('usage', `${what}: at most ${longestKey} characters.`)
  return value
}

function refused(what: string, why: string): CountersignError {
  return new CountersignError('usage', why, { details: { param: what }, next: `Leave \`${what}\` out.` })
}
