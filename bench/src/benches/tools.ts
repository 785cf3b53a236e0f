/** What the door and the walls cost: a call of a record tool against the same function bare, a sandbox against bare bubblewrap. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, noAssistantServices, noBudgetExtensions } from '@countersign/contract'
import { type BareRecords, openBareRecords } from '@countersign/kernel/bare-records'
import { builtinTools, createCatalogue, type RecordTool } from '@countersign/tools'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { type BenchInstallation, openBenchInstallation } from '../bench-installation.ts'
import { median, rounded, timed } from '../sample.ts'
import { openSocketClient } from '../socket-client.ts'
import { measureSandbox } from './tools-sandbox.ts'
import { measureView } from './tools-view.ts'

export const tools: Bench = {
  name: 'tools',
  about: 'a call of a record tool against the same function bare, and a sandbox against bare bubblewrap',
  async run(options) {
    const walls = await measureSandbox(options)
    const view = await measureView(options)
    const door = await measureDoor(options)
    return { figures: { ...door, ...walls.figures, ...view.figures }, goals: [...walls.goals, ...view.goals] }
  },
}

async function measureDoor({ small, note }: BenchOptions): Promise<BenchResult['figures']> {
  const size = small ? { rounds: 3, runs: 10, calls: 50 } : { rounds: 9, runs: 30, calls: 300 }
  const setting = await openBenchInstallation()
  const records = openBareRecords({ ...setting.installation.databaseConnection() }, (problem) =>
    note(String(problem)),
  )
  try {
    const client = await openSocketClient(setting.gateway.url, setting.installation.signer)
    const runs = async (count: number, words: string) => {
      for (let index = 0; index < count; index += 1) {
        const { run, reason } = await client.converse(words, null)
        if (reason !== 'completed') throw new Error(`${run} ended: ${reason}`)
      }
    }
    const bare = bareCalls(setting, records)
    await runs(size.runs, 'ten tasks')
    await bare(size.calls)
    await requireRealTasks(records, setting)

    const rounds: { door: number; alone: number; bare: number; empty: number }[] = []
    for (let index = 0; index < size.rounds; index += 1) {
      const empty = (await timed(() => runs(size.runs, 'hello'))) / size.runs
      const round = {
        empty,
        door: ((await timed(() => runs(size.runs, 'ten tasks'))) / size.runs - empty) / 10,
        alone: (await timed(() => runs(size.runs, 'one task'))) / size.runs - empty,
        bare: (await timed(() => bare(size.calls))) / size.calls,
      }
      note(
        `tools round ${index + 1}: ${rounded(round.door)} ms a call of ten, ${rounded(round.alone)} ms alone, ${rounded(round.bare)} ms bare`,
      )
      rounds.push(round)
    }
    client.close()
    const of = (pick: (round: (typeof rounds)[number]) => number) => rounded(median(rounds.map(pick)))
    return {
      doorMsPerCallOfTen: of((round) => round.door),
      doorMsAlone: of((round) => round.alone),
      bareMs: of((round) => round.bare),
      doorRatioOfTen: of((round) => round.door / round.bare),
      doorRatioAlone: of((round) => round.alone / round.bare),
      messageWithoutCallsMs: of((round) => round.empty),
    }
  } finally {
    await records.close()
    await setting.close()
  }
}

/** The same function with the same database work: one transaction for each call, and nothing around it. */
function bareCalls({ installation }: BenchInstallation, bare: BareRecords): (count: number) => Promise<void> {
  const catalogue = createCatalogue(builtinTools)
  const tool = catalogue.definition('add_task') as RecordTool
  const parsed = catalogue.find('add_task')?.parse({ title: 'Task', priority: 'high' })
  if (parsed?.kind !== 'args') throw new Error('add_task takes other arguments now.')
  const { args } = parsed
  const { operator } = installation.identity.trust
  const cause = {
    requester: { kind: 'operator' as const, id: 'bench' },
    label: { integrity: 'operator' as const, confidentiality: 'public' as const, sources: [] },
    session: idFrom('ses', '0'.repeat(32)),
    run: idFrom('run', '0'.repeat(32)),
    agent: 'assistant',
    goal: null,
  }
  return async (count) => {
    for (let index = 0; index < count; index += 1) {
      const now = new Date()
      const result = await bare.transact(operator, now, (records) =>
        tool.run(args, {
          records,
          budgetExtensions: noBudgetExtensions,
          catalogue,
          now,
          asked: now,
          uuid: randomUUIDv7,
          cause,
          assistant: noAssistantServices,
        }),
      )
      if (!result.ok) throw new Error(result.text)
    }
  }
}

/** A fast refusal would look like speed. */
async function requireRealTasks(bare: BareRecords, { installation }: BenchInstallation): Promise<void> {
  const { operator } = installation.identity.trust
  const { total } = await bare.transact(operator, new Date(), (records) =>
    records.list('tasks', { limit: 1 }),
  )
  if (total < 100) throw new Error(`Only ${total} tasks were written.`)
}
