/** The rows of `countersign run`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const runSummary = 'what the agent is doing and has done'

const run: ArgumentRow = { name: 'run', summary: 'the id of a run', required: true }

export const runRows: readonly CommandRow[] = [
  {
    name: 'run list',
    summary: 'list runs, newest first',
    arguments: [],
    options: [
      { flags: '--session <id>', summary: 'only of this session' },
      { flags: '--state <state>', summary: 'only running, parked or stopped ones' },
    ],
    examples: ['countersign run list --state parked'],
    load: async () => (await import('../run.ts')).list,
  },
  {
    name: 'run show',
    summary: 'show a run and every call it made',
    arguments: [run],
    options: [],
    examples: ['countersign run show run_0198…'],
    load: async () => (await import('../run.ts')).show,
  },
  {
    name: 'run tail',
    summary: 'follow a run until it ends; Ctrl-C or --wait leaves it',
    arguments: [run],
    options: [{ flags: '--stream', summary: 'its events, one JSON document on each line' }],
    examples: ['countersign run tail run_0198…', 'countersign run tail run_0198… --stream | jq .body.type'],
    load: async () => (await import('../run-tail.ts')).tail,
  },
  {
    name: 'run replay',
    summary: 'show the conversation as it was, at its end or at any time',
    arguments: [run],
    options: [
      { flags: '--at <time>', summary: 'as it was at this time of day, as 14:02' },
      { flags: '--speed <factor>', summary: 'play it instead, so many times as fast as it was' },
    ],
    examples: ['countersign run replay run_0198… --at 14:02', 'countersign run replay run_0198… --speed 10'],
    load: async () => (await import('../run-replay.ts')).replay,
  },
  {
    name: 'run fork',
    summary: 'send the message of a run again, in a new session with what was said before',
    arguments: [run],
    options: [
      {
        flags: '--simulate',
        summary: 'answer calls with what was recorded and do nothing; this is the default',
      },
      {
        flags: '--no-simulate',
        summary: 'make the calls again instead, through policy and approval as ever',
      },
    ],
    examples: ['countersign run fork run_0198…', 'countersign run fork run_0198… --no-simulate'],
    load: async () => (await import('../run-fork.ts')).fork,
  },
  {
    name: 'run compare',
    summary: 'show two runs side by side, step by step',
    arguments: [
      { ...run, name: 'one' },
      { ...run, name: 'other' },
    ],
    options: [],
    examples: ['countersign run compare run_0198… run_0199…'],
    load: async () => (await import('../run-compare.ts')).compare,
  },
  {
    name: 'run stop',
    summary: 'stop a run; its waiting approvals are withdrawn',
    arguments: [run],
    options: [],
    examples: ['countersign run stop run_0198…'],
    load: async () => (await import('../run.ts')).stop,
  },
  {
    name: 'run undo',
    summary: 'undo what a run did, as far as it can be undone',
    arguments: [run],
    options: [{ flags: '--call <ids>', summary: 'only these calls, by their ids with commas between' }],
    examples: ['countersign run undo run_0198…', 'countersign run undo run_0198… --call call_0198…'],
    load: async () => (await import('../run.ts')).undo,
  },
]
