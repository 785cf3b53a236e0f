/** The rows of `countersign plan`. */
import { type ArgumentRow, type CommandRow, needed } from '../../command-row.ts'

export const planSummary = 'plans: steps that run in order and stop for your approval'

const plan: ArgumentRow = { name: 'plan', summary: 'id or name of a plan', required: true }

export const planRows: readonly CommandRow[] = [
  {
    name: 'plan list',
    summary: 'list plans, newest first',
    arguments: [],
    options: [
      {
        flags: '--status <status>',
        summary: 'status: pending, in_progress, paused, completed, failed or cancelled',
      },
    ],
    examples: ['countersign plan list', 'countersign plan list --status paused --json'],
    load: async () => (await import('../plan.ts')).list,
  },
  {
    name: 'plan show',
    summary: 'show a plan and the result of each step',
    arguments: [plan],
    options: [],
    examples: ['countersign plan show plan_0198…', 'countersign plan show "Weekly report"'],
    load: async () => (await import('../plan.ts')).show,
  },
  {
    name: 'plan add',
    summary: 'add a plan from a JSON file with name, goal and steps',
    arguments: [{ name: 'file', summary: 'file, or - for stdin', required: true }],
    options: [{ flags: '--replace <plan>', summary: 'replace this plan' }],
    examples: [
      'countersign plan add report.json',
      'countersign plan add report.json --replace plan_0198…',
      'cat report.json | countersign plan add -',
    ],
    load: async () => (await import('../plan.ts')).add,
  },
  {
    name: 'plan preview',
    summary: 'show where a plan would stop for you, and what you can approve in advance',
    arguments: [plan],
    options: [],
    examples: ['countersign plan preview plan_0198…'],
    load: async () => (await import('../plan.ts')).preview,
  },
  {
    name: 'plan run',
    summary: 'start a plan',
    arguments: [plan],
    options: [
      { flags: '--ahead <digest>', summary: 'approve in advance what the preview with this digest lists' },
    ],
    examples: ['countersign plan run plan_0198…', 'countersign plan run plan_0198… --ahead 3f2a91c04b7d…'],
    load: async () => (await import('../plan.ts')).run,
  },
  {
    name: 'plan pause',
    summary: 'pause a running plan',
    arguments: [plan],
    options: [],
    examples: ['countersign plan pause plan_0198…'],
    load: async () => (await import('../plan.ts')).pause,
  },
  {
    name: 'plan resume',
    summary: 'resume a paused plan',
    arguments: [plan],
    options: [],
    examples: ['countersign plan resume plan_0198…'],
    load: async () => (await import('../plan.ts')).resume,
  },
  {
    name: 'plan skip',
    summary: 'leave out a step of a running plan that has not started',
    arguments: [plan, needed('step', 'step to leave out')],
    options: [],
    examples: ['countersign plan skip plan_0198… fetch'],
    load: async () => (await import('../plan.ts')).skip,
  },
  {
    name: 'plan graph',
    summary: 'draw the steps of a plan with their dependencies and states',
    arguments: [plan],
    options: [],
    examples: ['countersign plan graph plan_0198…'],
    load: async () => (await import('../plan.ts')).graph,
  },
  {
    name: 'plan rm',
    summary: 'remove a plan',
    arguments: [plan],
    options: [],
    examples: ['countersign plan rm plan_0198…'],
    load: async () => (await import('../plan.ts')).remove,
  },
]
