/** Owns the shapes of the provider packages that we rely on, taken from one of them: all have the same. */
import type { createAnthropic } from '@ai-sdk/anthropic'

export type ProviderModel = ReturnType<ReturnType<typeof createAnthropic>>
export type ProviderRequest = Parameters<ProviderModel['doStream']>[0]
type StreamResult = Awaited<ReturnType<ProviderModel['doStream']>>
export type ProviderPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
