/** The model port on the AI SDK: one call, one stream, no retries. Never throws; the last chunk says how it ended. */

import type { ModelChunk, ModelFailure, ModelRequest } from '@countersign/agent'
import { createDemoModel } from '../demo/demo-model.ts'
import type { ModelConfig } from '../providers/config.ts'
import { type OpenProviderResult, openProvider } from '../providers/open.ts'
import type { ProviderModel, ProviderPart, ProviderRequest } from '../providers/provider-model.ts'
import { guardedFetch } from './body.ts'
import { failureOf, refusesTemperature } from './failure.ts'
import { fitHistory } from './fit-history.ts'
import { replyLimits } from './limits.ts'
import type { OneModel } from './one-model.ts'
import { providerRequestOf } from './prompt.ts'
import { collectReply, type UsageListener } from './reply.ts'
import { watchSilence } from './silence.ts'

export function createModel(config: ModelConfig): OneModel {
  if (config.kind === 'demo') return createDemoModel()
  const guarded = { ...config, fetch: guardedFetch(config.fetch ?? globalThis.fetch, config.kind) }
  let opened: Promise<OpenProviderResult> | undefined
  const known: KnownRefusals = { temperature: false }
  return {
    stream: (request, signal, heard) =>
      streamReply({ ...config, known }, () => (opened ??= openProvider(guarded)), request, signal, heard),
  }
}

/** What the model turned out not to take, for as long as it is open. */
interface KnownRefusals {
  temperature: boolean
}

async function* streamReply(
  config: ModelConfig & { readonly known: KnownRefusals },
  open: () => Promise<OpenProviderResult>,
  request: ModelRequest,
  signal: AbortSignal,
  heard?: UsageListener,
): AsyncGenerator<ModelChunk> {
  const watch = watchSilence(signal, config.timeoutMs, config.longestMs ?? replyLimits.longestMs)
  let reader: ReadableStreamDefaultReader<ProviderPart> | undefined
  try {
    const provider = await open()
    if (provider.kind === 'refused') {
      yield failed({ kind: provider.reason, message: provider.message })
      return
    }
    const ask = async () => {
      const fitted = fitHistory(request, (await provider.context?.(watch.signal)) ?? null)
      const asked = providerRequestOf(fitted, watch.signal, { kind: config.kind, options: provider.options })
      return startStream(provider.model, asked, config.known)
    }
    const started = await watch.unlessStopped(ask())
    if (started === undefined) {
      yield failed(watch.failure())
      return
    }
    reader = started.stream.getReader()
    const activeReader = reader
    // Cancelling settles a pending read at once, whatever the transport does with the signal.
    watch.onStop(() => release(activeReader))

    const collector = collectReply(config.model, heard)
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
        case 'call':
          yield { type: 'call', tool: accepted.tool, text: accepted.text }
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

/** Some models refuse a request that has a temperature. The catalogue does not know which, so they are asked again. */
async function startStream(
  model: ProviderModel,
  request: ProviderRequest,
  known: KnownRefusals,
): Promise<Awaited<ReturnType<ProviderModel['doStream']>>> {
  const { temperature, ...plain } = request
  if (temperature === undefined || known.temperature) return model.doStream(plain)
  try {
    return await model.doStream(request)
  } catch (error) {
    if (!refusesTemperature(error) || request.abortSignal?.aborted) throw error
    known.temperature = true
    return model.doStream(plain)
  }
}

/** A stream that already ended or broke has nothing left to release, and its refusal says nothing new. */
function release(reader: ReadableStreamDefaultReader<ProviderPart>): void {
  reader.cancel().then(undefined, () => undefined)
}

function failed(failure: ModelFailure): ModelChunk {
  return { type: 'failed', failure }
}
