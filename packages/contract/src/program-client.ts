/**
 * Owns the client of programs that ask by a token, published as `countersign/client`: asks, streams, lists the agents. It
 * needs `fetch` and nothing else. A question that is sent again after a broken connection is the same question.
 */

export interface ProgramClientOptions {
  /** Of the gateway, such as `http://127.0.0.1:7347` or `https://house.example`. */
  readonly url: string
  /** As `countersign program add` showed it. */
  readonly token: string
  readonly fetch?: typeof globalThis.fetch
}

export interface AskOptions {
  /** Left out, the first one that the program may ask. */
  readonly agent?: string
  /** By a name of your own, or as an earlier answer told it. Left out, each question begins one. */
  readonly conversation?: string
  /** The same key is the same question, also tomorrow. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export interface ProgramAnswer {
  readonly id: string
  readonly text: string
  readonly conversation: string
  /** `waiting`: for the operator, or for longer; ask again in the conversation, or look with `answer`. */
  readonly state: 'ended' | 'waiting' | 'working'
}

export interface ProgramClient {
  agents(signal?: AbortSignal): Promise<string[]>
  ask(question: string, options?: AskOptions): Promise<ProgramAnswer>
  /** Yields the answer in pieces, and returns it whole. */
  stream(question: string, options?: AskOptions): AsyncGenerator<string, ProgramAnswer>
  /** How a question stands by now. */
  answer(id: string, signal?: AbortSignal): Promise<ProgramAnswer>
}

/** What the gateway refused, in its words. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly status: number
  readonly code: string

  constructor(message: string, { status, code }: { readonly status: number; readonly code: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

interface Gateway {
  readonly base: string
  readonly token: string
  readonly fetch: typeof globalThis.fetch
}

interface ProgramRequest {
  readonly method?: 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ResponseReply {
  readonly id: string
  readonly output: readonly { readonly content: readonly { readonly text: string }[] }[]
  readonly countersign: Pick<ProgramAnswer, 'conversation' | 'state'>
}

const mostTries = 3
const pauseMs = 500

export function createProgramClient({
  url,
  token,
  fetch = globalThis.fetch,
}: ProgramClientOptions): ProgramClient {
  const gateway: Gateway = { base: `${url.replace(/\/+$/, '')}/openai/v1`, token, fetch }
  let first: Promise<string | undefined> | undefined

  async function agents(signal?: AbortSignal): Promise<string[]> {
    const { data } = (await (await send(gateway, '/models', {}, signal)).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }

  function firstAgent(signal: AbortSignal | undefined): Promise<string | undefined> {
    first ??= agents(signal).then(([agent]) => agent)
    first.catch(() => (first = undefined))
    return first
  }

  async function post(
    question: string,
    { agent, conversation, signal }: AskOptions,
    key: string,
    stream: boolean,
  ): Promise<Response> {
    const model = agent ?? (await firstAgent(signal))
    const body = JSON.stringify({ model, input: question, conversation, stream })
    return send(gateway, '/responses', { method: 'POST', body, headers: { 'idempotency-key': key } }, signal)
  }

  return {
    agents,
    ask(question, options = {}) {
      const key = options.key ?? crypto.randomUUID()
      return tried(options.signal, async () =>
        answerOf((await (await post(question, options, key, false)).json()) as ResponseReply),
      )
    },
    async *stream(question, options = {}) {
      const key = options.key ?? crypto.randomUUID()
      // Once something was shown it is not begun anew.
      const response = await tried(options.signal, () => post(question, options, key, true))
      return yield* piecesOf(response)
    },
    answer: async (id, signal) =>
      answerOf(
        (await (
          await send(gateway, `/responses/${encodeURIComponent(id)}`, {}, signal)
        ).json()) as ResponseReply,
      ),
  }
}

async function send(
  { base, token, fetch }: Gateway,
  path: string,
  { headers, ...rest }: ProgramRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await fetch(`${base}${path}`, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  throw await failureOf(response)
}

/** What did not arrive is sent again, under the same key. */
async function tried<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ProgramError || signal?.aborted || attempt >= mostTries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt))
    }
  }
}

function answerOf({ id, output, countersign }: ResponseReply): ProgramAnswer {
  const text = output.flatMap(({ content }) => content.map((part) => part.text)).join('')
  return { id, text, ...countersign }
}

async function failureOf(response: Response): Promise<ProgramError> {
  const { status } = response
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error: { message: string; code: string } }
    return new ProgramError(error.message, { status, code: error.code })
  } catch {
    return new ProgramError(`The gateway answered ${status}.`, { status, code: String(status) })
  }
}

async function* piecesOf(response: Response): AsyncGenerator<string, ProgramAnswer> {
  const status = 200
  for await (const event of eventsOf(response)) {
    if (event.type === 'response.output_text.delta' && event.delta !== undefined) yield event.delta
    if (event.type === 'response.completed' && event.response) return answerOf(event.response)
    if (event.type === 'error')
      throw new ProgramError(event.message ?? 'The stream failed.', { status, code: event.code ?? '' })
  }
  throw new ProgramError('The stream ended before the answer did.', { status, code: 'stream_ended' })
}

interface StreamEvent {
  readonly type: string
  readonly delta?: string
  readonly response?: ResponseReply
  readonly message?: string
  readonly code?: string
}

/** The events of a stream as they come. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((row) => row.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as StreamEvent
    }
  }
}
