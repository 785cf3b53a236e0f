/** Words in the steps of a plan, which are carried out by no model. */
import type { Hop } from '../hop.ts'

export const planHops: readonly Hop[] = [
  {
    name: 'the steps of a plan',
    kind: 'plan',
    needs: ['create_plan', 'list_plans', 'get_plan_details'],
    begins: 'anew',
    put: ({ mark, words }) => [
      [
        {
          name: 'create_plan',
          args: { name: `P ${mark}`, steps: [{ type: 'user_input', name: 'Ask', question: words }] },
        },
      ],
    ],
    take: ({ mark }) => [
      [{ name: 'list_plans', args: {} }],
      [{ name: 'get_plan_details', args: { planId: `{id of ${mark}}` } }],
    ],
  },
  {
    name: 'a plan that the operator begins',
    kind: 'plan',
    needs: ['create_plan'],
    begins: 'anew',
    put: ({ mark, words }) => [
      [
        {
          name: 'create_plan',
          args: {
            name: `P ${mark} [#${mark}]`,
            steps: [
              {
                type: 'tool_call',
                name: 'Note',
                tool: 'add_note',
                args: { title: `Plan ${mark}`, content: words },
              },
            ],
          },
        },
      ],
    ],
    async act(installation, { mark }) {
      const { plans } = await installation.client.plans()
      const made = plans.find(({ name }) => name.includes(mark))
      if (!made) throw new Error(`There is no plan of ${mark}.`)
      await installation.talk({
        mark,
        text: '',
        script: () => ({ text: 'A plan asks no model.' }),
        verdict: () => 'approve',
        begins: () => installation.client.executePlan(made.id),
      })
    },
    take: ({ mark }) => [[{ name: 'list_notes', args: { search: mark } }]],
  },
]
