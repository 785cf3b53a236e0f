/** Words that are given to a helper, and what it says in the end. */
import type { Hop, HopContext } from '../hop.ts'

const report: Hop = {
  name: 'its report',
  kind: 'sub-agent',
  begins: 'itself',
  isTold: true,
  put: () => [],
  take: () => [],
}

const given = ({ mark, words, next }: HopContext) => [
  [{ name: 'start_agent_task', args: { title: `H ${mark}`, instructions: `${words} ${next}` } }],
]

export const helperHops: readonly Hop[] = [
  {
    name: 'a helper',
    kind: 'sub-agent',
    needs: ['start_agent_task'],
    begins: 'itself',
    put: given,
    take: () => [],
  },
  {
    name: 'a helper who comes back',
    kind: 'sub-agent',
    needs: ['start_agent_task'],
    begins: 'itself',
    put: given,
    take: () => [],
    followedBy: report,
  },
  {
    name: 'a look at the work of a helper',
    kind: 'sub-agent',
    needs: ['start_agent_task', 'list_agent_tasks', 'get_agent_task'],
    begins: 'anew',
    put: ({ mark, words }) => [
      [{ name: 'start_agent_task', args: { title: `L ${mark}`, instructions: words } }],
    ],
    take: ({ mark }) => [
      [{ name: 'list_agent_tasks', args: {} }],
      [{ name: 'get_agent_task', args: { taskId: `{id of ${mark}}` } }],
    ],
  },
]
