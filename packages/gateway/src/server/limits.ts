/** Owns the route that tells every limit that holds, as each room keeps its own. Changes none of them. */
import {
  conversationLimits,
  conversationWindow,
  feedLimits,
  longestReasoning,
  planLimits,
  promptLimits,
  readerLimits,
  stopLimits,
  taskLimits,
} from '@countersign/agent'
import { thresholds } from '@countersign/assistant'
import {
  type ConversationSettings,
  type LimitGroup,
  largestUpload,
  metadataLimits,
  mostAttachments,
  type RetentionDays,
} from '@countersign/contract'
import { gatewayRoutes } from '@countersign/contract/routes'
import { type App, route } from './route.ts'

export interface LimitParts {
  readonly retention: RetentionDays
  readonly conversations: ConversationSettings
  readonly rates: { readonly all: number; readonly tools: Readonly<Record<string, number>> }
}

export function addLimitRoutes(app: App, parts: LimitParts): void {
  app.openapi(route(gatewayRoutes.limits), (context) => context.json(limitGroups(parts), 200))
}

export function limitGroups({ retention, rates, conversations }: LimitParts): LimitGroup[] {
  const group = (name: string, values: object, change: string | null = null): LimitGroup => ({
    name,
    change,
    limits: numbersIn(values),
  })
  const ofAgent = '`countersign agent set <agent> --max-turns … --max-tool-calls … --max-tokens …`'
  const inFile = (key: string) => `\`${key}\` in the configuration file`
  return [
    group('A run of a conversation', conversationLimits, ofAgent),
    group('A task', taskLimits, ofAgent),
    group('A reader', readerLimits),
    group('The feed', feedLimits, ofAgent),
    group('A plan', planLimits),
    group(
      'A conversation',
      { ...conversationWindow, quietMs: conversations.silenceMinutes * 60_000, longestReasoning },
      '`countersign agent set <agent> --history-tokens …`, `countersign config set conversations.silenceMinutes …`',
    ),
    group(
      'A prompt',
      { ...promptLimits, summaries: conversations.summaries },
      '`countersign agent set <agent> --omit …`, `countersign config set conversations.summaries …`',
    ),
    group('A run that was told to stop', stopLimits),
    group('Work that is stuck or stale', thresholds),
    group('A message', { largestUpload, mostAttachments, metadata: metadataLimits }),
    group('Calls a minute', rates, inFile('rates')),
    group('Days that things are kept', retention, inFile('retention')),
  ]
}

/** `delayedRetry.baseMs` for what is inside of something else. */
function numbersIn(values: object, before = ''): { name: string; value: number }[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'number') return [{ name: `${before}${name}`, value }]
    return typeof value === 'object' && value !== null ? numbersIn(value, `${before}${name}.`) : []
  })
}
