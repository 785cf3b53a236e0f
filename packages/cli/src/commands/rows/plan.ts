/** The rows of `countersign plan`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const planSummary = 'steps that are carried out in order, with stops for you'

const plan: ArgumentRow = { name: 'plan', summary: 'the id of a plan, or its name', required: true }

export const planRows: readonly CommandRow[] = [
  {
    name: 'plan list',
    summary: 'list plans, newest first',
    arguments: [],
    options: [
      {
        flags: '--status <status>',
        summary: 'only pending, in_progress, paused, completed, failed or cancelled ones',
      },
    ],
    examples: ['countersign plan list', 'countersign plan list --status paused --json'],
    load: async () => (await import('../plan.ts')).list,
  },
  {
    name: 'plan show',
    summary: 'show a plan, and what came of each step',
    arguments: [plan],
    options: [],
    examples: ['countersign plan show plan_0198…', 'countersign plan show "Weekly report"'],
    load: async () => (await import('../plan.ts')).show,
  },
  {
    name: 'plan add',
    summary: 'keep a plan from a JSON file with name, goal and steps',
    arguments: [{ name: 'file', summary: 'the file, or - for what is piped in', required: true }],
    options: [{ flags: '--replace <plan>', summary: 'put it in the place of this plan' }],
    examples: [
      'countersign plan add report.json',
      'countersign plan add report.json --replace plan_0198…',
      'cat report.json | countersign plan add -',
    ],
    load: async () => (await import('../plan.ts')).add,
  },
  {
    name: 'plan preview',
    summary: 'where a plan would stop for you, and what you can approve ahead',
    arguments: [plan],
    options: [],
    examples: ['countersign plan preview plan_0198…'],
    load: async () => (await import('../plan.ts')).preview,
  },
  {
    name: 'plan run',
    summary: 'begin to carry a plan out',
    arguments: [plan],
    options: [{ flags: '--ahead <digest>', summary: 'approve what the preview with this digest lists' }],
    examples: ['countersign plan run plan_0198…', 'countersign plan run plan_0198… --ahead 3f2a91c04b7d…'],
    load: async () => (await import('../plan.ts')).run,
  },
  {
    name: 'plan pause',
    summary: 'hold a plan that is being carried out',
    arguments: [plan],
    options: [],
    examples: ['countersign plan pause plan_0198…'],
    load: async () => (await import('../plan.ts')).pause,
  },
  {
    name: 'plan resume',
    summary: 'let a paused plan go on',
    arguments: [plan],
    options: [],
    examples: ['countersign plan resume plan_0198…'],
    load: async () => (await import('../plan.ts')).resume,
  },
  {
    name: 'plan graph',
    summary: 'draw the steps: what waits for what, where each is, where it stops',
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
