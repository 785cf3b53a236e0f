/**
 * Owns what an OpenTelemetry collector is told of every tool call that ended. Refuses content: the tool's name, the
 * outcome and the time, without arguments and results.
 */
import type { CallOutcome } from '@countersign/contract'
import type { CallMiddleware } from '@countersign/kernel'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'

/** The others were stopped by a person or a rule, as they should be. */
const wrong: readonly CallOutcome[] = ['failed', 'unknown', 'invalid']

export function createCallSpans({ tracer }: { readonly tracer: Tracer }): CallMiddleware {
  return {
    name: 'spans',
    async after(unit, { id, tool }, { outcome, ms }) {
      const end = unit.now.getTime()
      unit.afterCommit(() => {
        const span = tracer.startSpan(
          `execute_tool ${tool.name}`,
          {
            kind: SpanKind.INTERNAL,
            startTime: end - (ms ?? 0),
            attributes: {
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': tool.name,
              'gen_ai.tool.type': 'function',
              'gen_ai.tool.call.id': id,
              'countersign.outcome': outcome,
              'countersign.effect': tool.effect,
            },
          },
          ROOT_CONTEXT,
        )
        if (wrong.includes(outcome)) {
          span.setAttribute('error.type', outcome)
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end(end)
      })
    },
  }
}
