/** Owns what is switched on of looking at calls from outside: spans to a collector, metrics to whoever has the token. */
import type { CallMiddleware } from '@countersign/kernel'
import { type CallObserver, createSpans } from '@countersign/models'
import type { Config } from '../config.ts'
import type { Metrics } from './metrics.ts'

export interface Observation {
  readonly observers: readonly CallObserver[]
  readonly middleware: readonly CallMiddleware[]
  /** With the token that whoever asks for them shows. */
  readonly metrics: (Pick<Metrics, 'text'> & { readonly token: string }) | null
  close(): Promise<void>
}

export async function openObservation(
  { traces, metricsToken }: Config['telemetry'],
  parts: {
    readonly version: string
    readonly onProblem: (problem: unknown) => void
  },
): Promise<Observation> {
  const { version, onProblem } = parts
  // Loaded where it is wanted: most never switch it on.
  const spans =
    traces &&
    (await import('./telemetry.ts')).openTelemetry({
      ...traces,
      serviceName: 'countersign',
      version,
      onProblem,
    })
  const middleware = spans && [(await import('./call-spans.ts')).createCallSpans({ tracer: spans.tracer })]
  const metrics =
    metricsToken === null
      ? null
      : (await import('./metrics.ts')).openMetrics({ version, onProblem, isKnown: () => true })
  return {
    observers: [
      ...(spans ? [createSpans({ tracer: spans.tracer })] : []),
      ...(metrics ? [metrics.observer] : []),
    ],
    middleware: middleware ?? [],
    metrics: metrics && metricsToken !== null ? { token: metricsToken, text: metrics.text } : null,
    async close() {
      metrics?.close()
      await spans?.close()
    },
  }
}
