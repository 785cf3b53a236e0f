/** What the server saw of one request, with times by the clock of this machine. */
export interface RequestNote {
  readonly at: number
  readonly authorization: boolean
  readonly tools: number
  readonly promptTokens: number
  firstTokenAt: number | null
  lastTokenAt: number | null
  /** Of the reply, one for each step of the model that was let finish. */
  tokens: number
  /** When the client went away before the reply was whole. */
  leftAt: number | null
  endedAt: number | null
}
