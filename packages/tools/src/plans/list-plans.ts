/** Lists plans, the newest first. */
import { Plan, PlanStatus } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { listLimit } from '../records/list.ts'
import { lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { plansCollection } from './plan-record.ts'

export const listPlans = defineTool({
  name: 'list_plans',
  version: '1',
  description: 'List plans with their state, the newest first.',
  input: z.strictObject({
    status: PlanStatus.exactOptional(),
    search: z.string().max(500).exactOptional(),
    limit: z.int().min(1).default(listLimit.default),
  }),
  category: 'plans',
  group: 'plans',
  tags: ['show', 'find', 'search', 'workflows', 'which plans', 'running', 'paused', 'failed', 'overview'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: listLimit,
  runs: 'gateway',
  describe: ({ status }) => (status === undefined ? 'List plans' : `List plans that are ${status}`),
  preview: ({ status }) => ({ kind: 'text', title: 'List plans', text: status ?? 'all' }),
  effects: async () => listing(plansCollection, 'plans'),
  async run({ status, search, limit }, context) {
    const { records, total } = await context.records.list(plansCollection, {
      limit,
      ...(status === undefined ? {} : { where: { status } }),
      ...(search === undefined || search === ''
        ? {}
        : { search: { text: search, fields: ['name', 'goal'] } }),
    })
    if (records.length === 0) return succeeded('No plans found. Make one with create_plan.', 'Found 0 plans')
    const rows = records.map(({ id, data }) => {
      const { name, goal, status: state, steps, result, endedAt } = Plan.parse(data)
      return {
        id,
        name,
        ...(goal === '' ? {} : { goal: goal.slice(0, 200) }),
        status: state,
        steps: steps.length,
        ...(result === '' ? {} : { result }),
        ...(endedAt === null ? {} : { endedAt }),
      }
    })
    const text = `${records.length} of ${total} plans:\n${lines(rows)}`
    return tellingOf(records, succeeded(text, `Found ${total} plans`))
  },
})
