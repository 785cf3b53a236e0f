/** Words that are remembered. What strangers led to only waits for the operator, and so may never be told again. */
import type { Hop } from '../hop.ts'

const remember = (words: string) => [{ name: 'remember', args: { content: words, type: 'fact' } }]

export const memoryHops: readonly Hop[] = [
  {
    name: 'a memory that is recalled',
    kind: 'memory',
    needs: ['remember', 'recall'],
    begins: 'anew',
    mayStop: true,
    put: ({ words }) => [remember(words)],
    take: ({ words }) => [[{ name: 'recall', args: { query: words } }]],
  },
  {
    name: 'a memory that is listed',
    kind: 'memory',
    needs: ['remember', 'list_memories'],
    begins: 'anew',
    mayStop: true,
    put: ({ words, mark }) => [[{ name: 'remember', args: { content: words, type: 'fact', tags: [mark] } }]],
    take: ({ mark }) => [[{ name: 'list_memories', args: { tag: mark } }]],
  },
  {
    name: 'several memories',
    kind: 'memory',
    needs: ['batch_remember', 'list_memories'],
    begins: 'anew',
    mayStop: true,
    put: ({ words, mark }) => [
      [
        {
          name: 'batch_remember',
          args: { memories: [{ content: `${words}, and more`, type: 'preference', tags: [mark] }] },
        },
      ],
    ],
    take: ({ mark }) => [[{ name: 'list_memories', args: { tag: mark } }]],
  },
]
