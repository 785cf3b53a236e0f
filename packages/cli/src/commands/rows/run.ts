/** The rows of `countersign run`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const runSummary = 'runs of the agent'

const run: ArgumentRow = {
  name: 'run',
  summary: 'id of a run, or its beginning or end',
  required: true,
  id: 'run',
}

export const runRows: readonly CommandRow[] = [
  {
    name: 'run list',
    summary: 'list runs, newest first',
    arguments: [],
    options: [
      { flags: '--session <id>', summary: 'only from this session', id: 'ses' },
      { flags: '--state <state>', summary: 'state: running, parked or stopped' },
      { flags: '--all', summary: 'also what Countersign does by itself, such as the feed' },
    ],
    examples: ['countersign run list --state parked'],
    load: async () => (await import('../run.ts')).list,
  },
  {
    name: 'run show',
    summary: 'show a run and its calls',
    arguments: [run],
    options: [{ flags: '--reasoning', summary: 'show what the model thought before each reply instead' }],
    examples: ['countersign run show run_0198…', 'countersign run show run_0198… --reasoning'],
    load: async () => (await import('../run.ts')).show,
  },
  {
    name: 'run tail',
    summary: 'follow a run until it ends; Ctrl-C or --wait leaves it',
    arguments: [run],
    options: [{ flags: '--stream', summary: 'print events as JSON, one document per line' }],
    examples: ['countersign run tail run_0198…', 'countersign run tail run_0198… --stream | jq .body.type'],
    load: async () => (await import('../run-tail.ts')).tail,
  },
  {
    name: 'run replay',
    summary: 'show the conversation as it was at the end of the run or at a given time',
    arguments: [run],
    options: [
      { flags: '--at <time>', summary: 'time of day, such as 14:02' },
      { flags: '--speed <factor>', summary: 'play it back at this multiple of the original speed' },
    ],
    examples: ['countersign run replay run_0198… --at 14:02', 'countersign run replay run_0198… --speed 10'],
    load: async () => (await import('../run-replay.ts')).replay,
  },
  {
    name: 'run fork',
    summary: 'repeat the message of a run in a new session with the same history',
    arguments: [run],
    options: [
      {
        flags: '--simulate',
        summary: 'answer calls with recorded results and do nothing (default)',
      },
      {
        flags: '--no-simulate',
        summary: 'make the calls again, subject to policy and approval',
      },
    ],
    examples: ['countersign run fork run_0198…', 'countersign run fork run_0198… --no-simulate'],
    load: async () => (await import('../run-fork.ts')).fork,
  },
  {
    name: 'run compare',
    summary: 'compare two runs step by step',
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
    summary: 'stop a run; its pending approvals are withdrawn',
    arguments: [run],
    options: [],
    examples: ['countersign run stop run_0198…'],
    load: async () => (await import('../run.ts')).stop,
  },
  {
    name: 'run pause',
    summary: 'pause a run before its next model call or action; its requests wait',
    arguments: [run],
    options: [],
    examples: ['countersign run pause run_0198…'],
    load: async () => (await import('../run.ts')).pause,
  },
  {
    name: 'run resume',
    summary: 'let a paused run go on',
    arguments: [run],
    options: [],
    examples: ['countersign run resume run_0198…'],
    load: async () => (await import('../run.ts')).resume,
  },
  {
    name: 'run retry',
    summary: 'try the model again now; of a run that is over, send its message again',
    arguments: [run],
    options: [{ flags: '--model <ref>', summary: 'with this model for the rest of the run' }],
    examples: ['countersign run retry run_0198…', 'countersign run retry run_0198… --model ollama/qwen3:8b'],
    load: async () => (await import('../run.ts')).retry,
  },
  {
    name: 'run undo',
    summary: 'undo the effects of a run, as far as possible',
    arguments: [run],
    options: [{ flags: '--call <ids>', summary: 'only these call ids, separated by commas', id: 'call' }],
    examples: ['countersign run undo run_0198…', 'countersign run undo run_0198… --call call_0198…'],
    load: async () => (await import('../run.ts')).undo,
  },
]
