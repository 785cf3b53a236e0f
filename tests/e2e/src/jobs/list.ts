/** Owns the list of what an operator does, in the order of the rail. */
import type { Job, JobGroup } from './job.ts'
import { decideJobs } from './jobs-decide.ts'
import { governJobs } from './jobs-govern.ts'
import { knowJobs } from './jobs-know.ts'
import { planJobs } from './jobs-plan.ts'
import { seeJobs } from './jobs-see.ts'
import { talkJobs } from './jobs-talk.ts'

export const jobGroups: readonly JobGroup[] = [talkJobs, decideJobs, planJobs, knowJobs, seeJobs, governJobs]

const jobs: readonly Job[] = jobGroups.flatMap((group) => group.jobs)

/** One of each kind, for every change. */
const sampled: readonly string[] = [
  'Ask the assistant something',
  'Rename a conversation',
  'Undo a file that the assistant wrote',
  'Approve a waiting request',
  'Pause an automation',
  'Write a note',
  'Set a limit on what may be spent',
  'Switch a tool off',
]

export const sample: readonly Job[] = jobs.filter(({ title }) => sampled.includes(title))

/** The table of the documentation. */
export function jobTable(): string {
  const rows = jobGroups.map(
    ({ name, jobs: own }) => [name, own.map(({ title }) => title).join('; ')] as const,
  )
  return [
    '| Group | Jobs |',
    '| --- | --- |',
    ...rows.map(([name, titles]) => `| ${name} | ${titles} |`),
  ].join('\n')
}
