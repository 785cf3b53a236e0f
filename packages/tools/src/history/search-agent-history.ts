/** Finds conversations that ended. What is read taints as what was said there would. */
import { Timeframe } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'

const most = { param: 'limit', max: 5, default: 5 } as const
const day = 24 * 60 * 60_000
const days = { today: 1, last_week: 7, last_month: 31, last_year: 366 } as const

export const searchAgentHistory = defineTool({
  name: 'search_agent_history',
  version: '1',
  description:
    'Search conversations that ended, by words in their summary or in what was said. Gives up to 5, each with its summary and the words around what was found.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(500),
    timeframe: Timeframe.default('all'),
    limit: z.int().min(1).default(most.default),
  }),
  category: 'history',
  group: 'history',
  tags: [
    'past',
    'earlier',
    'conversation',
    'discussed',
    'talked about',
    'we said',
    'did i tell you',
    'last time',
    'remember when',
    'archive',
    'chat history',
    'previous session',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: most,
  runs: 'gateway',
  describe: ({ query, timeframe }) =>
    `Search past conversations: ${query}${timeframe === 'all' ? '' : ` (${timeframe})`}`,
  preview: ({ query, timeframe }) => ({
    kind: 'text',
    title: 'Search past conversations',
    text: `${query}\nTime: ${timeframe}`,
  }),
  effects: async () => listing('episodes', 'past conversations'),
  async run({ query, timeframe, limit }, context) {
    const from = timeframe === 'all' ? undefined : new Date(context.now.getTime() - days[timeframe] * day)
    const found = await context.assistant.searchHistory({
      text: query,
      limit,
      ...(from ? { from: from.toISOString() } : {}),
    })
    if (found.length === 0)
      return succeeded(
        'No past conversation has these words. Try fewer or other words, or a longer timeframe.',
        'Found nothing',
      )
    const told = found.map(({ session, startedAt, endedAt, messages, summary, excerpt, label }) => ({
      session,
      from: startedAt,
      to: endedAt,
      messages,
      summary,
      excerpt,
      // Words of others stay words of others, however long ago they were read.
      ...(label.integrity === 'untrusted' ? { untrusted: label.sources } : {}),
    }))
    const count = counted(found.length, 'past conversation', 'past conversations')
    return tellingOf(found, succeeded(`${count}:\n${lines(told)}`, `Found ${count}`))
  },
})
