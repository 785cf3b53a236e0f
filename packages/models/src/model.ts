/** The model port on the AI SDK: one call, one stream, no retries. Never throws; the last chunk says how it ended. */

import type { ModelChunk, ModelFailure, ModelPort, ModelRequest } from '@countersign/agent'
import type { ModelConfig } from './config.ts'
import { failureOf } from './failure.ts'
import { providerRequestOf } from './prompt.ts'
import { type OpenedProvider, openProvider, type ProviderPart } from './provider.ts'
import { collectReply } from './reply.ts'

export function createModel(config: ModelConfig): ModelPort {
  let opened: Promise<OpenedProvider> | undefined
  return {
    stream: (request, signal) =>
      streamReply(config, () => (opened ??= openProvider(config)), request, signal),
  }
}

async function* streamReply(
  config: ModelConfig,
  open: () => Promise<OpenedProvider>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk> {
  const watch = watchSilence(signal, config.timeoutMs)
  let reader: ReadableStreamDefaultReader<ProviderPart> | undefined
  try {
    const provider = await open()
    if (provider.kind === 'refused') {
      yield failed({ kind: provider.reason, message: provider.message })
      return
    }
    const started = await watch.unlessStopped(
      Promise.resolve(provider.model.doStream(providerRequestOf(request, watch.signal))),
    )
    if (started === undefined) {
      yield failed(watch.failure())
      return
    }
    reader = started.stream.getReader()
    const activeReader = reader
    // Cancelling settles a pending read at once, whatever the transport does with the signal.
    watch.onStop(() => release(activeReader))

    const collector = collectReply(config.model)
    while (true) {
      watch.listen()
      const { done, value } = await reader.read()
      watch.heard()
      if (watch.signal.aborted) {
        yield failed(watch.failure())
        return
      }
      if (done) break
      const accepted = collector.accept(value)
      switch (accepted.kind) {
        case 'nothing':
          break
        case 'text':
        case 'reasoning':
          yield { type: accepted.kind, text: accepted.text }
          break
        case 'error':
          yield failed(failureOf(accepted.error, { replyBegan: true, apiKey: config.apiKey }))
          return
        case 'refused':
          yield failed(accepted.failure)
          return
      }
    }
    const collected = collector.finish()
    yield collected.kind === 'whole' ? { type: 'end', reply: collected.reply } : failed(collected.failure)
  } catch (error) {
    yield failed(
      watch.signal.aborted
        ? watch.failure()
        : failureOf(error, { replyBegan: reader !== undefined, apiKey: config.apiKey }),
    )
  } finally {
    watch.end()
    if (reader) release(reader)
  }
}

interface SilenceWatch {
  /** Aborts when the caller aborts, when nothing was heard for too long, and when the watch ends. */
  readonly signal: AbortSignal
  /** Only the time between `listen` and `heard` counts: a slow reader of chunks is not a silent provider. */
  listen(): void
  heard(): void
  onStop(stop: () => void): void
  /** Undefined when the signal aborted first. */
  unlessStopped<Value>(work: Promise<Value>): Promise<Value | undefined>
  failure(): ModelFailure
  end(): void
}

function watchSilence(caller: AbortSignal, timeoutMs: number): SilenceWatch {
  const controller = new AbortController()
  let listening = true
  const stop = () => controller.abort()
  const timer = setTimeout(() => {
    if (listening) stop()
  }, timeoutMs)
  if (caller.aborted) stop()
  else caller.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    listen: () => {
      listening = true
      timer.refresh()
    },
    heard: () => {
      listening = false
    },
    onStop: (listener) => controller.signal.addEventListener('abort', listener, { once: true }),
    unlessStopped: (work) =>
      new Promise((resolve, reject) => {
        if (controller.signal.aborted) resolve(undefined)
        else controller.signal.addEventListener('abort', () => resolve(undefined), { once: true })
        work.then(resolve, reject)
      }),
    failure: () =>
      caller.aborted
        ? { kind: 'cancelled', message: 'The model call was cancelled.' }
        : { kind: 'timeout', message: `The model provider was silent for ${timeoutMs} ms.` },
    end: () => {
      clearTimeout(timer)
      caller.removeEventListener('abort', stop)
      controller.abort()
    },
  }
}

/** A stream that already ended or broke has nothing left to release, and its refusal says nothing new. */
function release(reader: ReadableStreamDefaultReader<ProviderPart>): void {
  reader.cancel().then(undefined, () => undefined)
}

function failed(failure: ModelFailure): ModelChunk {
  return { type: 'failed', failure }
}
