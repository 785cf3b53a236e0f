/** Owns every limit of a run and of what stands around it, in one place. */
import { usualConversations } from '@countersign/contract'

export interface Limits {
  readonly turns: number
  readonly toolCalls: number
  readonly sameCallsInARow: number
  /** Wall time of the run without the time it waited for people. */
  readonly activeMs: number
  readonly maxOutputTokens: number
  /** Tries at once after a passing failure of the model, before the run waits for longer. */
  readonly modelRetries: number
  readonly modelRetryDelayMs: number
  /** A provider that asks for more is left alone: the run parks. */
  readonly longestImmediateWaitMs: number
  /** Later tries of a parked run, as many as the kind of failure allows. */
  readonly delayedRetry: {
    readonly rateLimited: number
    readonly network: number
    readonly other: number
    readonly baseMs: number
    readonly factor: number
    readonly longestMs: number
    readonly longestAskedMs: number
    /** The share by which a wait is longer or shorter by chance. */
    readonly jitter: number
  }
  /** What one reply may propose, counted after batches are taken apart. */
  readonly callsPerTurn: number
  /** All calls of a turn, with those that its programs ask for. */
  readonly callsInTurn: number
}

export const conversationLimits: Limits = {
  turns: 50,
  toolCalls: 200,
  sameCallsInARow: 5,
  activeMs: 10 * 60_000,
  maxOutputTokens: 8_192,
  modelRetries: 2,
  modelRetryDelayMs: 1_500,
  longestImmediateWaitMs: 5_000,
  delayedRetry: {
    rateLimited: 5,
    network: 3,
    other: 2,
    baseMs: 10_000,
    factor: 2,
    longestMs: 10 * 60_000,
    longestAskedMs: 60 * 60_000,
    jitter: 0.2,
  },
  callsPerTurn: 32,
  callsInTurn: 60,
}

/** Work that is done and ends: nobody is there to say that it runs in circles. */
export const taskLimits: Limits = { ...conversationLimits, turns: 20 }

/** A reader looks at fifty things at most, also the same way again and again. */
export const readerLimits: Limits = { ...conversationLimits, turns: 30, toolCalls: 50, sameCallsInARow: 30 }

/** The feed reads a little of everything and writes once. */
export const feedLimits: Limits = { ...conversationLimits, turns: 20, toolCalls: 60 }

/** A plan goes through its steps, loops too, without a model in between; its own steps say when to stop. */
export const planLimits: Limits = {
  ...conversationLimits,
  turns: 500,
  toolCalls: 1_000,
  sameCallsInARow: 1_000_000,
  activeMs: 2 * 60 * 60_000,
}

/** A run that was told to stop and has not after this is ended in its place. */
export const stopLimits = { graceMs: 30_000 } as const

/** How freely a model words things where the agent says nothing of it. */
export const usualTemperature = 0.7

/** What is kept of a model's reasoning with its reply, in characters. */
export const longestReasoning = 20_000

/** How much of a conversation a model is shown, and when the conversation is put away. */
export const conversationWindow = {
  historyTokens: 100_000,
  /** A task is short and its results are long. */
  taskHistoryTokens: 40_000,
  /** Silence after which a conversation is archived. */
  quietMs: usualConversations.silenceMinutes * 60_000,
} as const

/** The most of each kind that a prompt holds, and how long one of a kind may be, in characters. */
export const promptLimits = {
  /** The whole prompt, in characters. */
  longest: 16_000,
  charactersPerToken: 4,
  facts: 20,
  interests: 15,
  preferences: 15,
  instructions: 30,
  categories: 40,
  skills: 20,
  goals: 8,
  steps: 20,
  notes: 8,
  learnings: 12,
  /** Of these an operator may choose fewer. */
  summaries: 10,
  memories: 8,
  lineLength: 300,
  noteLength: 600,
  summaryLength: 1_000,
  memoryLength: 600,
  descriptionLength: 2_000,
  /** Files of the workspace that the operator accepted. */
  files: 4,
  fileLength: 6_000,
  /** What everybody of a team is told. */
  sharedLength: 4_000,
} as const
