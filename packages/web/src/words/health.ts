/** What the Health screen says. */
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('health', {
  title: 'Health',
  repairs: {
    title: 'Problems',
    none: 'No problems found.',
    done: 'Fixed.',
    problems: {
      model: (why: string) => `The model does not respond. ${why}`,
      paused: (who: string) => `Everything is paused, by ${who}.`,
      held: (why: string) => `Unattended work is on hold: ${why}`,
      disk: () => 'Little space is left on this disk. Delete files you do not need.',
    },
    fix: {
      model: 'Test the model again',
      paused: 'Resume',
      held: 'Resume unattended work',
    },
  },
  providers: {
    title: 'Model providers',
    none: 'No provider is set up yet.',
    states: { closed: 'ok', open: 'paused after failures', 'half-open': 'trying again' },
    lately: (calls: number, failures: number, median: string | null) =>
      `${plural(calls, { one: '# call', other: '# calls' })} in the last 15 minutes, ${plural(failures, { other: '# failed' })}${median === null ? '' : `, first word after ${median}`}`,
    test: 'Test',
    testNamed: (provider: string) => `Test ${provider}`,
    responded: (provider: string, time: string) => `${provider} responded in ${time}.`,
  },
  database: 'Database',
  executor: 'Executor',
  sandbox: (name: string) => `sandbox ${name}`,
  model: 'Model',
  untried: (model: string) => `${model}, not tested yet`,
  problem: (model: string, problem: string) => `${model}: ${problem}`,
  ledger: 'Ledger',
  entries: (count: number, signed: number) =>
    `${plural(count, { one: '# entry', other: '# entries' })}, ${plural(signed, { other: '# signed' })}`,
  works: 'works',
  broken: 'not working',
  gateway: 'Gateway',
  version: 'Version',
  address: 'Address',
  since: 'Running since',
  policy: 'Policy',
  autonomy: 'Autonomy',
  runs: 'Runs',
  runCounts: (running: number, parked: number, queued: number) =>
    `${plural(running, { other: '# running' })}, ${plural(parked, { other: '# waiting' })}, ${plural(queued, { other: '# queued' })}`,
  waiting: 'Waiting for you',
  pending: (approvals: number, questions: number) =>
    `${plural(approvals, { one: '# approval', other: '# approvals' })}, ${plural(questions, { one: '# question', other: '# questions' })}`,
  disk: 'Disk',
  diskUse: (free: string, database: string, workspace: string, rest: string) =>
    `${free} free; database ${database}, workspace ${workspace}, other ${rest}`,
  connected: 'Connected',
  clients: (count: number) => plural(count, { one: '# page or terminal', other: '# pages and terminals' }),
  ledgerCheck: 'Is the ledger intact?',
  intact: (count: number, signed: number) =>
    `Yes: ${plural(count, { one: '# entry', other: '# entries' })} verified, ${plural(signed, { other: '# signed' })}.`,
  notIntact: (problem: string) => `No: ${problem}`,
  noReason: 'the entries do not match their hashes',
  checkEntries: 'Verify every entry',
  pageCheck: 'Does this page show the gateway’s state?',
  compare: 'Compare',
  comparing: 'Comparing…',
  same: (event: number) => `Yes: identical at event ${event}.`,
  different: (event: number) => `No: it differs at event ${event}. Reload the page.`,
})
