/**
 * Owns the way of spans to the operator's collector, by OTLP over HTTP. Loaded only when it is switched on. Refuses to
 * be waited for: a collector that is slow or gone costs spans, never a run.
 */
import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

export interface Telemetry {
  readonly tracer: Tracer
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

export interface TelemetryOptions {
  /** The collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly version: string
  readonly onProblem: (problem: unknown) => void
  /** The longest that a span waits for others. */
  readonly everyMs?: number
}

const exportMs = 5_000
const closeMs = 2_000
/** What is above this is dropped; a span has about a kilobyte. */
const mostWaiting = 2_048

export function openTelemetry(options: TelemetryOptions): Telemetry {
  const url = tracesUrl(options.endpoint)
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...options.headers },
    timeoutMillis: exportMs,
    concurrencyLimit: 4,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
    }),
    // Said here, so that no variable of the environment decides it.
    sampler: new AlwaysOnSampler(),
    spanLimits: {
      attributeCountLimit: 64,
      attributeValueLengthLimit: 256,
      eventCountLimit: 0,
      linkCountLimit: 0,
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: describedProblem(exporter, url, options.onProblem),
        maxQueueSize: mostWaiting,
        maxExportBatchSize: 256,
        scheduledDelayMillis: options.everyMs ?? 5_000,
        exportTimeoutMillis: exportMs + 1_000,
      }),
    ],
  })
  return {
    tracer: provider.getTracer('countersign', options.version),
    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, closeMs)
      await Promise.race([provider.shutdown().catch(options.onProblem), late.promise])
      clearTimeout(timer)
    },
  }
}

/** Says that the collector cannot be reached once, and again only after it could be in between. */
function describedProblem(
  exporter: SpanExporter,
  url: string,
  onProblem: (problem: unknown) => void,
): SpanExporter {
  let told = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !told) {
          const reason = result.error.message.slice(0, 200)
          onProblem(
            new Error(
              `Spans could not be sent to ${new URL(url).origin}: ${reason}. They are dropped until it works again.`,
            ),
          )
        }
        told = result.error !== undefined
        // Told already; the library would only tell its own log.
        done({ code: 0 })
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`
  return url.href
}
