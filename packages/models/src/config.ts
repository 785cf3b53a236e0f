/** Names which model is called, where and with what key. Values arrive from the caller; nothing is read from the environment. */

export type ModelProvider = 'openai' | 'anthropic' | 'openai-compatible'

export interface ModelConfig {
  readonly provider: ModelProvider
  readonly model: string
  /** Including the version path, such as `http://127.0.0.1:8080/v1`. Required for `openai-compatible`. */
  readonly baseUrl?: string
  /** Required for `openai` and `anthropic`. */
  readonly apiKey?: string
  /** The longest silence that is waited through, before the reply and within it. */
  readonly timeoutMs: number
  readonly fetch?: typeof globalThis.fetch
}
