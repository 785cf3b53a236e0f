/** Lets a budget give more than its limit for the rest of its period. Proposed by the gateway when a run stops at one. */
import { type BudgetExtension, dollarText, guardName, operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'

export const allowSpending = defineTool({
  name: 'allow_spending',
  version: '1',
  description: 'Allow more money for model calls than a budget gives.',
  input: z.strictObject({
    budget: z.string().max(200),
    subject: z.string().max(200),
    period: z.string().max(40),
    nanos: z.int().min(0),
    because: z.string().max(1000),
  }),
  category: 'operator',
  group: 'core',
  tags: ['budget', 'money', 'cost', 'limit'],
  effect: 'once',
  hidden: true,
  floor: 3,
  output: operatorLabel,
  runs: 'gateway',
  describe: (args) => headlineOf(args),
  preview: ({ because }) => ({ kind: 'text', title: 'Why', text: because }),
  effects: (args) =>
    Promise.resolve({
      kind: 'found',
      resources: [{ type: 'record', collection: 'budgets', id: nameOf(args), op: 'write', version: null }],
      effects: [
        {
          verb: 'spend',
          object:
            args.budget === guardName
              ? 'unattended work goes on'
              : `up to ${dollarText(args.nanos)} more for ${nameOf(args)}`,
          scope: 'inside',
          // Money that a provider was paid does not come back.
          reversible: false,
          outward: false,
          leaves: [],
        },
      ],
    }),
  async run(args, context) {
    if (args.budget === guardName)
      await context.budgetExtensions.release(context.cause?.requester.id ?? 'operator')
    else if (!(await context.budgetExtensions.add(args))) {
      const gone = `The budget ${nameOf(args)} is no longer there.`
      return { ok: false, text: gone, summary: gone, undo: null }
    }
    const text = `${headlineOf(args)}: done.`
    return { ok: true, text, summary: text, undo: null }
  },
})

function headlineOf(args: BudgetExtension): string {
  return args.budget === guardName
    ? 'Let unattended work go on'
    : `Allow ${dollarText(args.nanos)} more for the budget ${nameOf(args)}`
}

function nameOf({ budget, subject }: Pick<BudgetExtension, 'budget' | 'subject'>): string {
  return subject === '' ? budget : `${budget} of ${subject}`
}
