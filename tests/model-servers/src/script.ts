/** What a script sees of a request and what it may answer, free of any provider's wire format. */

/** How a server speaks. `openai` is Chat Completions as most servers have it, `responses` is OpenAI's newer API. */
export type Protocol =
  | 'openai'
  | 'anthropic'
  | 'responses'
  | 'google'
  | 'mistral'
  | 'groq'
  | 'deepseek'
  | 'xai'
  | 'together'
  | 'fireworks'
  | 'perplexity'
  | 'cohere'
  | 'openrouter'
  | 'ollama'
  | 'bedrock'
  | 'vertex'

export type Script = (turn: ScriptTurn) => ScriptReply | Promise<ScriptReply>

export interface ScriptTurn {
  readonly protocol: Protocol
  readonly model: string
  readonly system: string
  readonly messages: readonly ScriptMessage[]
  /** Text of the newest user message, also while tool results follow it. */
  readonly lastUser: string
  /** Results that end the conversation; empty when its last message is the user's. */
  readonly lastResults: readonly ScriptResult[]
  readonly tools: readonly ScriptTool[]
  /** How many requests this server had received before this one. */
  readonly callIndex: number
}

export interface ScriptMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Media types of the images in it; empty text where the protocol does not tell the type. */
  readonly images: readonly string[]
  readonly calls: readonly ScriptCall[]
  readonly results: readonly ScriptResult[]
}

export interface ScriptCall {
  readonly id: string
  readonly name: string
  readonly args: string
}

export interface ScriptResult {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly isError: boolean
}

export interface ScriptTool {
  readonly name: string
  readonly description: string
  readonly schema: unknown
}

export interface ScriptReply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly ReplyCall[]
  /** `stop`, `calls`, `length` and `filtered` are spelled per protocol, `none` ends without a finish event. */
  readonly finish?: string
  readonly usage?: Partial<ScriptUsage>
  /** Waits before the response head. */
  readonly firstDelayMs?: number
  /** Waits before every piece of content. */
  readonly tokenDelayMs?: number
  /** Characters in one piece of content. */
  readonly chunkSize?: number
  /** Cuts the socket after this many bytes of the body; 0 cuts it before the response head. */
  readonly truncateAfterBytes?: number
  /** Makes `truncateAfterBytes` end the response properly, as a buffering proxy would. */
  readonly cutCleanly?: boolean
  /** Falls silent after this many bytes of the body and holds the connection open. */
  readonly stallAfterBytes?: number
  /** Answers with this status and an error body instead of a reply. */
  readonly status?: number
  /** Value of the `retry-after` header. */
  readonly retryAfter?: string | number
  /** Value of the `location` header, for a status that redirects. */
  readonly location?: string
  readonly errorMessage?: string
  /** Sent in place of the whole event stream. */
  readonly malformed?: string
}

export interface ReplyCall {
  readonly name: string
  /** A string is sent as it is, so it may be anything. */
  readonly args: string | Readonly<Record<string, unknown>>
  readonly id?: string
}

export interface ScriptUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  /** Put into the cache. */
  readonly written?: number
  readonly reasoning: number
}
