/**
 * Hybrid recall over very many memories of one operator, against each half of it alone in the same run: the bare
 * statement that finds words, and the bare scan that finds vectors. The vectors of the queries are given, so that no
 * model is measured. Memories have words as language has them: few that are common, and very many that are rare.
 */
import { openScanSetting, type ScanSetting } from '../../../tests/recall/scan-setting.ts'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { median, quantile, rounded, timed } from '../sample.ts'

export const recall: Bench = {
  name: 'recall',
  about: 'hybrid recall over 100,000 memories, against the bare statement and the bare scan',
  run: measure,
}

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const memories = small ? 10_000 : 100_000
  const queries = small ? 40 : 120
  const setting = await openScanSetting({ memories, queries, note: (line) => note(`recall: ${line}`) })
  try {
    const load = await timed(() => setting.scan(0))
    note(`recall: ${memories} vectors loaded in ${Math.round(load)} ms`)
    for (let query = 0; query < 10; query += 1) await round(setting, query)
    const rounds: Round[] = []
    for (let query = 0; query < queries; query += 1) rounds.push(await round(setting, query))
    return reportOf(rounds, { memories, load })
  } finally {
    await setting.close()
  }
}

/** Milliseconds. */
interface Round {
  readonly sql: number
  readonly scan: number
  readonly hybrid: number
  readonly inHand: number
}

/** Each in turn for one query, so that a busy moment of the machine meets them all. */
async function round(setting: ScanSetting, query: number): Promise<Round> {
  return {
    sql: await timed(() => setting.sql(query)),
    scan: await timed(() => setting.scan(query)),
    hybrid: await timed(() => setting.hybrid(query)),
    inHand: await timed(() => setting.inHand(query)),
  }
}

function reportOf(
  rounds: readonly Round[],
  { memories, load }: { readonly memories: number; readonly load: number },
): BenchResult {
  const p50 = (pick: (round: Round) => number) => median(rounds.map(pick))
  const [sql, scan, hybrid] = [p50(({ sql }) => sql), p50(({ scan }) => scan), p50(({ hybrid }) => hybrid)]
  const ratio = hybrid / Math.max(sql, scan)
  return {
    figures: {
      memories,
      sqlP50Ms: rounded(sql),
      scanP50Ms: rounded(scan),
      hybridP50Ms: rounded(hybrid),
      hybridP95Ms: rounded(
        quantile(
          rounds.map((each) => each.hybrid),
          0.95,
        ),
      ),
      inHandP50Ms: rounded(p50(({ inHand }) => inHand)),
      ratioToSlower: rounded(ratio),
      ratioToSum: rounded(hybrid / (sql + scan)),
      loadMs: rounded(load),
    },
    goals: [{ name: 'ratioToSlower', value: ratio, kind: 'ratio', limit: { atMost: 1.5 } }],
  }
}
