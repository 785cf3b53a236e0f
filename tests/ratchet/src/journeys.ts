/** Owns the journeys that are counted, and the order in which they are made, so that none leaves work to another. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventBody } from '@countersign/contract'
import type { ReplyCall, Script } from '@countersign/model-servers'
import { type CountedInstallation, openCountedInstallation } from './counted-installation.ts'
import { type CountedAct, type Counts, middle, total } from './measures.ts'

export interface Journey {
  readonly name: string
  readonly counts: Counts
  /** What was done in the last round. */
  readonly acts: readonly CountedAct[]
}

const rounds = 3
const minute = 60_000

/** The words of the operator decide what the model does. */
const calls: Readonly<Record<string, readonly ReplyCall[]>> = {
  'one call': [readNote(0)],
  'ten calls': Array.from({ length: 10 }, (_, index) => readNote(index)),
  // Git would run it, so a device has to seal it.
  'a sealed call': [{ name: 'write_file', args: { path: '.git/hooks/post-checkout', content: 'counted' } }],
  'a record': [{ name: 'add_task', args: { title: 'Count', priority: 'high' } }],
}

function readNote(index: number): ReplyCall {
  return { name: 'read_file', args: { path: `note-${index}.txt` } }
}

const script: Script = ({ lastUser, lastResults }) => {
  const wanted = calls[lastUser]
  return wanted && lastResults.length === 0 ? { calls: [...wanted] } : { text: 'Done.' }
}

export async function countJourneys(): Promise<readonly Journey[]> {
  const installation = await openCountedInstallation(script)
  try {
    for (let index = 0; index < 10; index += 1)
      writeFileSync(join(installation.workspace, `note-${index}.txt`), `This is note ${index}.\n`)
    await installation.client.overrideModel('openai-compatible/scripted', {
      input: 0,
      output: 1,
      maxOutput: 1_000,
    })
    await installation.client.setBudget({ scope: 'unattended', limitUsd: 5 })
    return await countIn(installation)
  } finally {
    await installation.close()
  }
}

async function countIn(installation: CountedInstallation): Promise<readonly Journey[]> {
  const conversations: readonly [string, () => Promise<unknown>][] = [
    ['a message', () => completes(installation.say('hello'))],
    ['a message with one call', () => completes(installation.say('one call'))],
    ['a message with ten calls in one reply', () => completes(installation.say('ten calls'))],
    [
      'a call that is approved',
      async () => completes(installation.approve(await installation.say('a sealed call'))),
    ],
    ['a call on a record', () => completes(installation.say('a record'))],
  ]
  // The first time code is loaded and caches are filled; what is put off for later is done in the minutes after.
  for (const [, make] of conversations) await make()
  await installation.pass(2 * minute)

  const journeys: Journey[] = []
  for (const [name, make] of conversations)
    journeys.push(await repeated(name, () => installation.count(make)))
  await installation.pass(2 * minute)

  await completes(installation.say('hello'))
  journeys.push(
    await once('the minute after a message', () => installation.count(() => installation.pass(minute))),
  )
  journeys.push(await once('an idle minute', () => installation.count(() => installation.pass(minute))))
  journeys.push(
    await once('five idle minutes', () => installation.count(() => installation.pass(5 * minute))),
  )
  journeys.push(await countOccurrences(installation))
  return journeys
}

/**
 * Comes by itself at a full minute, at which nothing else is due. In the minute between two, what the first put off is
 * done.
 */
async function countOccurrences(installation: CountedInstallation): Promise<Journey> {
  const every = 2 * minute
  await installation.client.addSchedule({
    name: 'Counted',
    trigger: { kind: 'cron', expression: '*/2 * * * *', zone: 'UTC' },
    does: { kind: 'prompt', text: 'hello' },
  })
  const occurs = async () => {
    await installation.pass(every - 1 - (installation.now().getTime() % every))
    return installation.count(async () => {
      const ended = installation.event(({ type }) => type === 'run.ended')
      await installation.pass(1)
      await completes(ended)
    })
  }
  await occurs()
  return repeated("a schedule's occurrence", occurs)
}

async function repeated(name: string, count: () => Promise<readonly CountedAct[]>): Promise<Journey> {
  const counted: Counts[] = []
  let acts: readonly CountedAct[] = []
  for (let round = 0; round < rounds; round += 1) {
    acts = await count()
    counted.push(total(acts))
  }
  return { name, counts: middle(counted), acts }
}

async function once(name: string, count: () => Promise<readonly CountedAct[]>): Promise<Journey> {
  const acts = await count()
  return { name, counts: total(acts), acts }
}

/** A journey that went another way would be another one. */
async function completes(ending: Promise<EventBody>): Promise<void> {
  const body = await ending
  if (body.type !== 'run.ended' || body.reason !== 'completed')
    throw new Error(`The run did not complete: ${JSON.stringify(body)}`)
}
