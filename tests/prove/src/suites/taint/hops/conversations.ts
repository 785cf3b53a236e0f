/** Words that stay where they were said. */
import type { Hop } from '../hop.ts'

export const conversationHops: readonly Hop[] = [
  {
    name: 'the next message',
    kind: 'conversation',
    begins: 'on',
    put: () => [],
    take: () => [],
  },
  {
    name: 'what is left of a conversation',
    kind: 'compaction',
    needs: ['search_agent_history'],
    begins: 'anew',
    put: () => [],
    act: ({ client }, { session }) => client.archiveSession(session),
    take: ({ words }) => [[{ name: 'search_agent_history', args: { query: words.split(' ', 1)[0] ?? '' } }]],
  },
  {
    name: 'what a conversation looks up of itself',
    kind: 'compaction',
    needs: ['search_agent_history'],
    // The task begins anew, and with it the label.
    begins: 'on',
    put: () => [],
    act: ({ client }, { session }) => client.archiveSession(session),
    take: ({ words }) => [[{ name: 'search_agent_history', args: { query: words.split(' ', 1)[0] ?? '' } }]],
  },
  {
    name: 'a copy of a conversation',
    kind: 'conversation',
    begins: 'on',
    // What a tool brought is copied as its summary, in which the words may not stand.
    mayStop: true,
    put: () => [],
    act: ({ client }, { session }) => client.forkSession(session),
    take: () => [],
  },
  {
    name: 'a conversation that was kept as a file',
    kind: 'conversation',
    begins: 'on',
    mayStop: true,
    put: () => [],
    act: async ({ client }, { session }) =>
      client.importSession({ conversation: await client.exportSession(session) }),
    take: () => [],
  },
]
