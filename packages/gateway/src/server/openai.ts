/**
 * Owns the routes that speak as OpenAI's do: questions of programs, and the models that stand for agents. Refuses whatever
 * it would not do, and says what to leave out.
 */
import { CountersignError } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { chatChunks, chatCompletion, type ReplyFacts } from '../programs/openai/chat-reply.ts'
import { openAiError, openAiStatus, retryHeaders } from '../programs/openai/errors.ts'
import { type EventWriter, eventStream } from '../programs/openai/event-stream.ts'
import { type ReadRequest, readChat, readResponses } from '../programs/openai/requests.ts'
import { responseEvents, responseObject } from '../programs/openai/response-reply.ts'
import type { Program } from '../programs/program-rows.ts'
import type { AskedQuestion, Programs } from '../programs/programs.ts'
import { knownFailure } from './failures.ts'
import { programOf } from './program-door.ts'
import type { App, Env } from './route.ts'

export interface OpenAiParts {
  readonly programs: Programs
  readonly onProblem: (problem: unknown) => void
}

type Asked = Context<Env>
type Answered = Awaited<ReturnType<AskedQuestion['answer']>>

const largestBody = 1_048_576
/** Nobody reads this. */
const clientGone = 499

export function addOpenAiRoutes(app: App, parts: OpenAiParts): void {
  const { programs } = parts
  describeRoutes(app)
  app.use('/openai/*', async (context, next) => {
    context.set('program', await programOf(context, programs))
    await next()
  })
  app.use(
    '/openai/*',
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new CountersignError('usage', `A request may have at most ${largestBody} bytes.`)
      },
    }),
  )
  app.get('/openai/v1/models', (context) =>
    context.json({ object: 'list', data: speaker(context).agents.map(modelView) }, 200),
  )
  app.get('/openai/v1/models/:model', (context) => {
    const model = context.req.param('model')
    if (!speaker(context).agents.includes(model))
      throw new CountersignError('not_found', `There is no model ${model}.`, { details: { model } })
    return context.json(modelView(model), 200)
  })
  app.post('/openai/v1/chat/completions', async (context) => {
    const read = readChat(speaker(context), await bodyOf(context))
    const question = await programs.ask(speaker(context), read.wish)
    return read.streams
      ? streamed(context, (writer, gone) => streamChat(parts, { question, read, writer, gone }))
      : answered(context, question, ({ text, usage, told }) =>
          chatCompletion(factsOf(question, read), { text, usage, state: stateOf(told) }),
        )
  })
  app.post('/openai/v1/responses', async (context) => {
    const read = readResponses(speaker(context), await bodyOf(context))
    const question = await programs.ask(speaker(context), read.wish)
    return read.streams
      ? streamed(context, (writer, gone) => streamResponse(parts, { question, read, writer, gone }))
      : answered(context, question, ({ text, usage, told }) =>
          responseObject(factsOf(question, read), { text, usage, state: stateOf(told) }),
        )
  })
  app.get('/openai/v1/responses/:id', async (context) => {
    const id = context.req.param('id').replace(/^resp_/, '')
    const question = await programs.question(speaker(context), id)
    if (!question) throw new CountersignError('not_found', 'This program asked nothing under this id.')
    const { standing, agent: model, conversation, at } = question
    const facts: ReplyFacts = { id, model, conversation, createdAt: new Date(at) }
    const usage = { input: 0, output: 0 }
    const end =
      standing.kind === 'ended' ? { text: standing.text, usage, state: 'ended' as const } : undefined
    return context.json(responseObject(facts, end), 200)
  })
}

function speaker(context: Asked): Program {
  const program = context.get('program')
  if (program) return program
  throw new CountersignError('not_authenticated', 'No program speaks here.')
}

const modelView = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'countersign' })

async function bodyOf(context: Asked) {
  const text = await context.req.text()
  return { path: context.req.path, text, header: (name: string) => context.req.header(name) }
}

const stateOf = (told: Answered['told']) => (told === 'end' ? ('ended' as const) : ('waiting' as const))

const factsOf = ({ id, conversation, at }: AskedQuestion, { model }: ReadRequest): ReplyFacts => ({
  id,
  model,
  conversation,
  createdAt: at,
})

async function answered(
  context: Asked,
  question: AskedQuestion,
  reply: (end: Answered) => object,
): Promise<Response> {
  const { signal } = context.req.raw
  try {
    const end = await question.answer(() => undefined, signal)
    // What is handed over to nobody is still to be asked for.
    signal.throwIfAborted()
    await end.handedOver()
    return context.json(reply(end), 200, { 'x-conversation-id': question.conversation })
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: clientGone })
    throw error
  }
}

interface Streaming {
  readonly question: AskedQuestion
  readonly read: ReadRequest
  readonly writer: EventWriter
  readonly gone: AbortSignal
}

async function streamChat(parts: OpenAiParts, { question, read, writer, gone }: Streaming): Promise<void> {
  const chunks = chatChunks(factsOf(question, read), read.withUsage)
  try {
    writer.data(chunks.first())
    const end = await question.answer((text) => writer.data(chunks.piece(text)), gone)
    if (gone.aborted) return
    await end.handedOver()
    writer.data(chunks.last(stateOf(end.told)))
    if (read.withUsage) writer.data(chunks.usage(end.usage))
    writer.data('[DONE]')
  } catch (error) {
    if (!gone.aborted) writer.data(openAiError(failureOf(parts, error)))
  }
}

async function streamResponse(
  parts: OpenAiParts,
  { question, read, writer, gone }: Streaming,
): Promise<void> {
  const events = responseEvents(factsOf(question, read))
  const write = (event: { readonly type: string }) => writer.data(event, event.type)
  try {
    for (const event of events.begin()) write(event)
    const end = await question.answer((text) => write(events.piece(text)), gone)
    if (gone.aborted) return
    await end.handedOver()
    const { text, usage, told } = end
    for (const event of events.end({ text, usage, state: stateOf(told) })) write(event)
  } catch (error) {
    const { code, message } = openAiError(failureOf(parts, error)).error
    if (!gone.aborted) write(events.failed({ code, message }))
  }
}

function failureOf({ onProblem }: OpenAiParts, error: unknown): CountersignError {
  const known = knownFailure(error)
  if (known) return known
  onProblem(error)
  return new CountersignError('internal', 'The gateway could not do this.')
}

function streamed(context: Asked, work: (writer: EventWriter, gone: AbortSignal) => Promise<void>): Response {
  // Its body is made while it is sent, so nothing can be said of the whole.
  context.set('streams', true)
  context.header('content-type', 'text/event-stream; charset=utf-8')
  return context.body(eventStream(work))
}

/** In the document of the API, so that nothing that is open to a program is forgotten there. */
function describeRoutes(app: App): void {
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
  const routes = [
    ['get', '/openai/v1/models', 'The agents that the program may ask, as OpenAI lists models.'],
    ['get', '/openai/v1/models/{model}', 'One of them.'],
    ['post', '/openai/v1/chat/completions', 'Asks an agent, in the shape of OpenAI’s chat completions.'],
    ['post', '/openai/v1/responses', 'Asks an agent, in the shape of OpenAI’s responses.'],
    ['get', '/openai/v1/responses/{id}', 'How a question of the program stands.'],
  ] as const
  for (const [method, path, about] of routes)
    app.openAPIRegistry.registerPath({
      method,
      path,
      summary: `${about} With the token of a program.`,
      responses: {
        200: { description: 'Done.', content: json(z.looseObject({})) },
        default: { description: 'Failed, in the shape of OpenAI.', content: json(z.looseObject({})) },
      },
    })
}

export function openAiReply(
  context: Asked,
  failure: CountersignError,
  redact: (value: object) => object,
): Response {
  return context.json(redact(openAiError(failure)), openAiStatus(failure), retryHeaders(failure))
}
