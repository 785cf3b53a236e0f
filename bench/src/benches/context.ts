/** What a long conversation costs: reading and cutting its history to size, and the tokens that each model call takes. */
import { randomUUIDv7 } from 'node:crypto'
import { basePrompts, composePrompt, type ModelMessage, windowed } from '@countersign/agent'
import { createArchive, historyMigration, lastSummaries } from '@countersign/assistant'
import { idFrom, type OperatorId, operatorLabel, type RunId, type SessionId } from '@countersign/contract'
import { type Kernel, openKernel, readHistory } from '@countersign/kernel'
import { type Owner, openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { median, quantile, rounded, timed } from '../sample.ts'

export const context: Bench = {
  name: 'context',
  about: 'reading a session of 500 turns, and the tokens of a model call with and without archiving',
  run: measure,
}

const budgetTokens = 100_000
const longTurns = 500
/** Two hundred messages over ten days: ten turns in the morning of each, with pauses of a minute. */
const days = 10
const turnsADay = 10

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const database = await startTestDatabase()
  const world = { now: new Date('2026-03-01T08:00:00.000Z') }
  const kernel = await open(database.connection, world)
  const owner = openOwner(database.connection)
  const rows: Rows = { owner, operator: kernel.operator }
  try {
    const { times, shown } = await readLong(kernel, rows, world, small ? 20 : 100)
    note(`context: ${longTurns} turns read in ${rounded(median(times))} ms, ${shown} messages fit`)
    const cost = await promptCost(kernel, rows, world)
    note(`context: ${cost.without} tokens a call without archiving, ${cost.with} with`)
    const ratio = cost.with / cost.without
    return {
      figures: {
        readP50Ms: rounded(median(times)),
        readP95Ms: rounded(quantile(times, 0.95)),
        turns: longTurns,
        messagesShown: shown,
        tokensWithoutArchiving: cost.without,
        tokensWithArchiving: cost.with,
        tokensRatio: rounded(ratio),
        meanTokensWithoutArchiving: cost.meanWithout,
        meanTokensWithArchiving: cost.meanWith,
        systemTokens: cost.system,
        messages: days * turnsADay * 2,
      },
      goals: [
        { name: 'readP50Ms', value: median(times), kind: 'time', limit: { atMost: 20 } },
        { name: 'tokensRatio', value: ratio, kind: 'ratio', limit: { atMost: 0.25 } },
      ],
    }
  } finally {
    await owner.close()
    await kernel.close()
    await database.stop()
  }
}

interface World {
  now: Date
}

/** Lays out rows of the kernel. */
interface Rows {
  readonly owner: Owner
  readonly operator: OperatorId
}

async function readLong(kernel: Kernel, rows: Rows, world: World, rounds: number) {
  const session = idFrom('ses', randomUUIDv7())
  await openSession(rows, session, world.now)
  let run = idFrom('run', randomUUIDv7())
  for (let turn = 0; turn < longTurns; turn += 1) run = await writeTurn(rows, session, turn, world.now)
  const times: number[] = []
  let shown = 0
  for (let round = 0; round < rounds + 5; round += 1) {
    const ms = await timed(async () => {
      const history = await kernel.records.read(kernel.operator, ({ db }) =>
        readHistory(db, session, { run, turn: 9 }),
      )
      shown = windowed(history.messages, budgetTokens, history.own).length
    })
    if (round >= 5) times.push(ms)
  }
  return { times, shown }
}

/** The same conversation twice, once as it is and once archived after each night, as a run does when it begins. */
async function promptCost(kernel: Kernel, rows: Rows, world: World) {
  const assistantContext = {
    operator: kernel.operator,
    records: kernel.records,
    clock: () => world.now,
    uuid: randomUUIDv7,
    zone: 'UTC',
    onProblem: (problem: unknown) => {
      throw problem
    },
  }
  const archive = createArchive({
    context: assistantContext,
    summarise: ({ text }) => Promise.resolve(threeSentences(text)),
  })
  const [plain, archived] = [idFrom('ses', randomUUIDv7()), idFrom('ses', randomUUIDv7())]
  for (const session of [plain, archived]) await openSession(rows, session, world.now)
  const counts = { plain: [] as number[], archived: [] as number[] }
  for (let day = 0; day < days; day += 1) {
    for (let turn = 0; turn < turnsADay; turn += 1) {
      world.now = new Date(Date.UTC(2026, 2, 2 + day, 8, turn))
      const place = day * turnsADay + turn
      const runs = {
        plain: await writeTurn(rows, plain, place, world.now),
        archived: await writeTurn(rows, archived, place, world.now),
      }
      await archive.beforeRun({ id: runs.archived, session_id: archived, started_at: world.now })
      await archive.settled()
      counts.plain.push(await tokensOf(kernel, plain, runs.plain, world, false))
      counts.archived.push(await tokensOf(kernel, archived, runs.archived, world, true))
    }
  }
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
  return {
    without: counts.plain.at(-1) ?? Number.NaN,
    with: counts.archived.at(-1) ?? Number.NaN,
    meanWithout: mean(counts.plain),
    meanWith: mean(counts.archived),
    system: countTokens(systemOf([], world)),
  }
}

async function tokensOf(
  kernel: Kernel,
  session: SessionId,
  run: RunId,
  world: World,
  archived: boolean,
): Promise<number> {
  return kernel.records.read(kernel.operator, async ({ db }) => {
    const history = await readHistory(db, session, { run, turn: 9 })
    const of = { agent: 'assistant', goal: null, session }
    const summaries = archived ? await lastSummaries(db, of, 5) : []
    const system = systemOf(summaries, world)
    return countTokens(
      [system, ...windowed(history.messages, budgetTokens, history.own).map(textOf)].join('\n'),
    )
  })
}

function systemOf(summaries: Awaited<ReturnType<typeof lastSummaries>>, world: World): string {
  return composePrompt({
    base: { text: basePrompts.user, label: operatorLabel },
    time: { now: world.now, zone: 'UTC' },
    autonomy: { level: 'medium', unattended: false },
    conversation: {
      summaries: summaries.map(({ summary, endedAt, label }) => ({ text: summary, at: endedAt, label })),
    },
  }).text
}

function textOf(message: ModelMessage): string {
  if (message.role === 'user') return message.text
  if (message.role === 'assistant')
    return [message.text, ...message.calls.flatMap(({ name, args }) => [name, args])].join('\n')
  return message.results.map(({ text }) => text).join('\n')
}

/** As long as what a small model says. */
function threeSentences(text: string): string {
  const words = text.replaceAll(/[.!?<>]/g, '').split(/\s+/)
  const sentence = (from: number) =>
    `The person and the assistant spoke of ${words.slice(from, from + 14).join(' ')}.`
  return [sentence(2), sentence(Math.floor(words.length / 2)), sentence(words.length - 20)].join(' ')
}

async function openSession({ owner, operator: id }: Rows, session: SessionId, at: Date): Promise<void> {
  await owner.within(id, ({ db, operator }) =>
    db
      .insertInto('sessions')
      .values({
        operator_id: operator,
        id: session,
        title: 'A long talk',
        created_at: at,
        updated_at: at,
        active_run_id: null,
        label: JSON.stringify(operatorLabel),
      })
      .execute(),
  )
}

/** A question, an answer, and in every third turn a call with its result. Each turn is a run of its own. */
async function writeTurn(
  { owner, operator: id }: Rows,
  session: SessionId,
  place: number,
  at: Date,
): Promise<RunId> {
  const [run, input] = [idFrom('run', randomUUIDv7()), idFrom('inp', randomUUIDv7())]
  const label = JSON.stringify(operatorLabel)
  await owner.within(id, async ({ db, operator }) => {
    const own = { operator_id: operator, session_id: session }
    await db
      .insertInto('inputs')
      .values({
        ...own,
        id: input,
        run_id: run,
        key: input,
        mode: 'auto',
        text: '',
        requester: JSON.stringify({ kind: 'operator', id: 'bench' }),
        state: 'done',
        created_at: at,
      })
      .execute()
    await db
      .insertInto('runs')
      .values({
        ...own,
        id: run,
        input_id: input,
        kind: 'agent',
        state: 'stopped',
        reason: 'completed',
        turn: 1,
        label,
        started_at: at,
        ended_at: at,
      })
      .execute()
    const called = place % 3 === 0
    const said = (role: 'user' | 'assistant', turn: number, text: string) => ({
      ...own,
      run_id: run,
      role,
      turn,
      text,
      label,
      at,
    })
    await db
      .insertInto('messages')
      .values([
        said('user', 0, prose(place, 25)),
        ...(called ? [said('assistant', 1, '')] : []),
        said('assistant', called ? 2 : 1, prose(place + 7, 90)),
      ])
      .execute()
    if (!called) return
    await db
      .insertInto('calls')
      .values({
        ...own,
        id: idFrom('call', randomUUIDv7()),
        run_id: run,
        turn: 1,
        position: 0,
        model_id: 'm0',
        model_tool: 'read_file',
        raw_args: JSON.stringify({ path: `notes/day-${place}.md` }),
        tool: 'read_file',
        args: '{}',
        headline: `Read notes/day-${place}.md`,
        tier: 0,
        state: 'ended',
        outcome: 'ok',
        result_text: prose(place + 3, 220),
        summary: 'Read 1.4 kB',
        ended_at: at,
      })
      .execute()
  })
  return run
}

const vocabulary =
  'the boat leaves on Sunday with two people and their bags so please write down what is still missing before we ask the harbour whether a berth near the old crane is free for three nights and what it costs with water and power included'.split(
    ' ',
  )

/** Words that differ from turn to turn. */
function prose(seed: number, length: number): string {
  return Array.from({ length }, (_, at) => vocabulary[(seed * 13 + at * 7) % vocabulary.length]).join(' ')
}

function open(connection: Parameters<typeof openKernel>[0]['connection'], world: World): Promise<Kernel> {
  const fail = (problem: unknown) => {
    throw problem
  }
  return openIdleKernel({
    connection,
    migrations: [historyMigration],
    clock: () => world.now,
    onProblem: fail,
  })
}
