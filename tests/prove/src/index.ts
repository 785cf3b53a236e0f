/** The table of suites. A suite is loaded when it is asked for, since some bring the whole installation with them. */
import type { Suite } from './suite.ts'

export type { Suite, SuiteOptions, SuiteResult } from './suite.ts'

export interface SuiteEntry {
  readonly name: string
  load(): Promise<Suite>
  /** Large enough for every change, small enough to be run at every change. */
  readonly smallSize: number
  /** Large enough that each mutant is caught. */
  readonly mutantSize: number
  readonly unit: string
  /** Its mutants take long: they are tried at night only. */
  readonly slow?: true
}

/** The longest first, so that it does not begin when the others have ended. */
export const suites: readonly SuiteEntry[] = [
  {
    name: 'holes',
    load: async () => (await import('./suites/holes.ts')).holes,
    smallSize: 20,
    mutantSize: 1_000,
    unit: 'attacks at the most; there are as many as files in its folder',
    slow: true,
  },
  {
    name: 'week',
    load: async () => (await import('./suites/week.ts')).week,
    smallSize: 8,
    mutantSize: 80,
    unit: 'tasks of each week at the most; below 100 only of the held-out weeks',
    slow: true,
  },
  {
    name: 'canonical',
    load: async () => (await import('./suites/canonical.ts')).canonical,
    smallSize: 5_000,
    mutantSize: 500,
    unit: 'values',
  },
  {
    name: 'decide',
    load: async () => (await import('./suites/decide.ts')).decide,
    smallSize: 5_000,
    mutantSize: 500,
    unit: 'calls',
  },
  {
    name: 'ledger-tamper',
    load: async () => (await import('./suites/ledger-tamper.ts')).ledgerTamper,
    smallSize: 60,
    mutantSize: 20,
    unit: 'entries, each changed in every way',
  },
  {
    name: 'permit-mutation',
    load: async () => (await import('./suites/permit-mutation.ts')).permitMutation,
    smallSize: 2_000,
    mutantSize: 4_000,
    unit: 'changed permits',
    slow: true,
  },
  {
    name: 'permit-replay',
    load: async () => (await import('./suites/permit-replay.ts')).permitReplay,
    smallSize: 8,
    mutantSize: 1,
    unit: 'permits, each used 200 times',
  },
  {
    name: 'drift',
    load: async () => (await import('./suites/drift.ts')).drift,
    smallSize: 26,
    mutantSize: 39,
    unit: 'changes between approval and use, and as many while a permit is under way',
  },
  {
    name: 'kill',
    load: async () => (await import('./suites/kill.ts')).kill,
    smallSize: 5,
    mutantSize: 6,
    unit: 'kills',
    slow: true,
  },
  {
    name: 'lanes',
    load: async () => (await import('./suites/lanes.ts')).lanes,
    smallSize: 40,
    mutantSize: 20,
    unit: 'messages, five to a session',
    slow: true,
  },
  {
    name: 'ssrf',
    load: async () => (await import('./suites/ssrf.ts')).ssrf,
    smallSize: 400,
    mutantSize: 200,
    unit: 'addresses that must lead nowhere, each with one that is allowed',
    slow: true,
  },
  {
    name: 'traversal',
    load: async () => (await import('./suites/traversal.ts')).traversal,
    smallSize: 500,
    mutantSize: 60,
    unit: 'paths, each with every tool that takes one; races from 500 on',
  },
  {
    name: 'exec',
    load: async () => (await import('./suites/exec.ts')).exec,
    smallSize: 200,
    mutantSize: 60,
    unit: 'commands, each handed on in one of sixteen ways; an installation from 200 on, all floods from 2,000 on',
    slow: true,
  },
  {
    name: 'sandbox',
    load: async () => (await import('./suites/sandbox.ts')).sandbox,
    smallSize: 120,
    mutantSize: 323,
    unit: 'attempts to get out',
    slow: true,
  },
  {
    name: 'media',
    load: async () => (await import('./suites/media.ts')).media,
    smallSize: 4,
    mutantSize: 30,
    unit: 'files of each of eight kinds: documents, pictures, sounds and office files; programs that were taken over beside them',
    slow: true,
  },
  {
    name: 'mail',
    load: async () => (await import('./suites/mail.ts')).mail,
    smallSize: 12,
    mutantSize: 40,
    unit: 'e-mails, received and outgoing, and a twentieth of that as kills while one is sent',
    slow: true,
  },
  {
    name: 'secrets',
    load: async () => (await import('./suites/secrets.ts')).secrets,
    smallSize: 14,
    mutantSize: 14,
    unit: 'secrets, each in every form and sink',
  },
  {
    name: 'custom-tools',
    load: async () => (await import('./suites/custom-tools.ts')).customTools,
    smallSize: 70,
    mutantSize: 14,
    unit: 'programs',
    slow: true,
  },
  {
    name: 'provider-faults',
    load: async () => (await import('./suites/provider-faults/provider-faults.ts')).providerFaults,
    smallSize: 2_000,
    mutantSize: 400,
    unit: 'faults of a provider; every recording cut at every byte from 100,000 on',
    slow: true,
  },
  {
    name: 'budget',
    load: async () => (await import('./suites/budget.ts')).budget,
    smallSize: 24,
    mutantSize: 16,
    unit: 'runs, half of which the limit pays for',
    slow: true,
  },
  {
    name: 'taint',
    load: async () => (await import('./suites/taint.ts')).taint,
    smallSize: 66,
    mutantSize: 50,
    unit: 'flows of words from run to run; for twenty of them a conversation with readers',
    slow: true,
  },
  {
    name: 'schedule',
    load: async () => (await import('./suites/schedule.ts')).schedule,
    smallSize: 20,
    mutantSize: 20,
    unit: 'jobs, each over a year with fifty restarts',
    slow: true,
  },
  {
    name: 'adversary',
    load: async () => (await import('./suites/adversary.ts')).adversary,
    smallSize: 60,
    mutantSize: 38,
    unit: 'pairs of a task and an attack; honest tasks too from 60 on, all calls of the combinations from 1,000 on',
    slow: true,
  },
  {
    name: 'display',
    load: async () => (await import('./suites/display.ts')).display,
    smallSize: 68,
    mutantSize: 34,
    unit: 'spoofing strings, each in every field of a card on every surface',
    slow: true,
  },
  {
    name: 'grants',
    load: async () => (await import('./suites/grants.ts')).grants,
    smallSize: 1_000,
    mutantSize: 2_500,
    unit: 'calls around grants; callers at once beside them',
    slow: true,
  },
  {
    name: 'policy-replay',
    load: async () => (await import('./suites/policy-replay.ts')).policyReplay,
    smallSize: 500,
    mutantSize: 1_000,
    unit: 'calls, recorded, simulated under another policy, and made again under it',
    slow: true,
  },
  {
    name: 'approvals-race',
    load: async () => (await import('./suites/approvals-race.ts')).approvalsRace,
    smallSize: 12,
    mutantSize: 20,
    unit: 'requests, each decided by two devices at once',
    slow: true,
  },
  {
    name: 'roles',
    load: async () => (await import('./suites/roles.ts')).roles,
    smallSize: 100_000,
    mutantSize: 100_000,
    unit: 'statements at the most, on every table and through every handle',
  },
  {
    name: 'access',
    load: async () => (await import('./suites/access.ts')).access,
    smallSize: 1,
    mutantSize: 1,
    unit: 'rounds over every route, each with every caller',
    slow: true,
  },
  {
    name: 'frames',
    load: async () => (await import('./suites/frames.ts')).frames,
    smallSize: 10_000,
    mutantSize: 4_000,
    unit: 'damaged requests, frames and messages',
    slow: true,
  },
]
