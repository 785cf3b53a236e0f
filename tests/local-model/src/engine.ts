/**
 * Owns the model in memory: one conversation at a time, word by word. Keeps what two requests have in common at their
 * beginning, and stops between two steps when it is told to.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ChatMessage, promptOf } from './chat-prompt.ts'

export interface Engine {
  readonly contextTokens: number
  tokensOf(messages: readonly ChatMessage[]): readonly Token[]
  /** Yields the words of the reply. The caller's turn comes when all before it are done. */
  reply(prompt: readonly Token[], mostTokens: number, signal: AbortSignal): AsyncGenerator<EngineStep>
}

export type EngineStep =
  | { readonly kind: 'token'; readonly text: string }
  | { readonly kind: 'end'; readonly finish: 'stop' | 'length' }

/** Steps of the prompt in which a stop is looked for: a third of a second on a slow core. */
const stepTokens = 16

export async function openEngine(folder: string, weights: string): Promise<Engine> {
  const entry = join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  const { getLlama, LlamaLogLevel } = (await import(pathToFileURL(entry).href)) as Library
  const llama = await getLlama({
    build: 'never',
    skipDownload: true,
    gpu: false,
    progressLogs: false,
    // Two threads wait for each other at every step, which on a busy machine is far slower than one.
    maxThreads: 1,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: weights })
  const context = await model.createContext({ contextSize: 2_048, sequences: 1, threads: 1 })
  const sequence = context.getSequence()
  let last: Promise<void> = Promise.resolve()

  async function* speak(
    prompt: readonly Token[],
    most: number,
    signal: AbortSignal,
  ): AsyncGenerator<EngineStep> {
    const [final] = prompt.slice(-1)
    if (final === undefined) throw new Error('There is nothing to answer.')
    const before = prompt.slice(0, -1)
    await sequence.adaptStateToTokens(before, false)
    for (let at = sequence.nextTokenIndex; at < before.length; at += stepTokens) {
      if (signal.aborted) return
      await sequence.evaluateWithoutGeneratingNewTokens(before.slice(at, at + stepTokens))
    }
    if (signal.aborted) return
    const said: Token[] = []
    let shown = ''
    for await (const token of sequence.evaluate([final], { temperature: 0 })) {
      if (signal.aborted) return
      if (model.isEogToken(token)) return yield { kind: 'end', finish: 'stop' }
      said.push(token)
      const text = model.detokenize(said, false, [final])
      // A character may be spread over several tokens.
      if (!text.endsWith('\ufffd')) {
        yield { kind: 'token', text: text.slice(shown.length) }
        shown = text
      }
      if (said.length >= most) return yield { kind: 'end', finish: 'length' }
    }
  }

  return {
    contextTokens: context.contextSize,
    tokensOf: (messages) => model.tokenize(promptOf(messages), true),
    async *reply(prompt, mostTokens, signal) {
      const turn = Promise.withResolvers<void>()
      const before = last
      last = turn.promise
      try {
        await before
        if (!signal.aborted) yield* speak(prompt, mostTokens, signal)
      } finally {
        turn.resolve()
      }
    },
  }
}

/** A number that only the model understands. */
export type Token = number & { readonly __token?: never }

/** What is used of the library, which is no dependency of this repository. */
interface Library {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<{
    loadModel(options: { modelPath: string }): Promise<LoadedModel>
  }>
  readonly LlamaLogLevel: { readonly error: string }
}

interface LoadedModel {
  createContext(options: Readonly<Record<string, unknown>>): Promise<{
    readonly contextSize: number
    getSequence(): Sequence
  }>
  tokenize(text: string, specialTokens: boolean): Token[]
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens: readonly Token[]): string
  isEogToken(token: Token): boolean
}

interface Sequence {
  readonly nextTokenIndex: number
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>
  evaluate(tokens: readonly Token[], options: { temperature: number }): AsyncIterable<Token>
}
