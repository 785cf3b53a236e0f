/** Owns how much a coding agent has of everything. A permit binds these numbers. */

export const agentLimits = {
  maxTimeoutMs: 1_800_000,
  maxMemoryBytes: 4 * 1024 ** 3,
  maxProcesses: 256,
  /** Of what it says over the protocol, together and in one message. */
  maxSaidBytes: 64 * 1024 * 1024,
  maxMessageBytes: 8 * 1024 * 1024,
  /** Of what it complains about, for the reason of a failure. */
  maxStderrBytes: 64 * 1024,
  /** Of its own words, and of the steps that are told. */
  maxTextCharacters: 50_000,
  maxSteps: 200,
  /** Requests to the model that are not turns, such as one for a title. */
  maxSideRequests: 20,
  maxRequestBytes: 8 * 1024 * 1024,
  maxAnswerBytes: 16 * 1024 * 1024,
  /** For one answer of the model. */
  answerMs: 300_000,
} as const
