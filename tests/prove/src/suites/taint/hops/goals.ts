/** Words that are kept with a goal. */
import type { Hop } from '../hop.ts'

const goal = (mark: string) => [{ name: 'create_goal', args: { title: `G ${mark}` } }]
const details = (mark: string) => [
  [{ name: 'list_goals', args: { search: mark } }],
  [{ name: 'get_goal_details', args: { goalId: `{id of ${mark}}` } }],
]

export const goalHops: readonly Hop[] = [
  {
    name: 'a goal',
    kind: 'goal',
    needs: ['create_goal', 'get_goal_details'],
    begins: 'anew',
    put: ({ mark, words }) => [[{ name: 'create_goal', args: { title: `G ${mark}`, description: words } }]],
    take: ({ mark }) => details(mark),
  },
  {
    name: 'a note of a goal',
    kind: 'goal',
    needs: ['create_goal', 'add_goal_note', 'get_goal_details'],
    begins: 'anew',
    put: ({ mark, words }) => [
      goal(mark),
      [{ name: 'add_goal_note', args: { goalId: `{id of ${mark}}`, text: words } }],
    ],
    take: ({ mark }) => details(mark),
  },
  {
    name: 'a step of a goal',
    kind: 'goal',
    needs: ['create_goal', 'decompose_goal', 'get_goal_details'],
    begins: 'anew',
    put: ({ mark, words }) => [
      goal(mark),
      [{ name: 'decompose_goal', args: { goalId: `{id of ${mark}}`, steps: [{ title: words }] } }],
    ],
    take: ({ mark }) => details(mark),
  },
]
