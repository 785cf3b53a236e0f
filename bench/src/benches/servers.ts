/**
 * A call of a server of the Model Context Protocol: our conversation with a program in its sandbox, against the bare
 * reference client and the same program without one. One of each in turn, in one run. What a permit adds, with its seal,
 * its two verifications and its records, is told beside it and has no goal: every call of the product has that.
 */
import { type CallPath, openCallPath } from '@countersign/executor/server-call-path'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { median, quantile, rounded, timed } from '../sample.ts'

export const servers: Bench = {
  name: 'servers',
  about: 'a call of a tool of a server, against the bare client on the same server',
  run: measure,
}

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const path = await openCallPath()
  try {
    const first = await starts(path)
    const rounds = small ? 200 : 2_000
    const measured: Round[] = []
    for (let round = 0; round < rounds + warming; round += 1) {
      const taken = {
        bare: await timed(() => path.bare(`word ${round}`)),
        ours: await timed(() => path.ours(`word ${round}`)),
        permitted: round % 4 === 0 ? await timed(() => path.permitted(`word ${round}`)) : undefined,
      }
      if (round >= warming) measured.push(taken)
    }
    note(`servers: ${rounds} calls of each kind in turn`)
    return reportOf(measured, first)
  } finally {
    await path.close()
  }
}

const warming = 100

interface Round {
  readonly bare: number
  readonly ours: number
  readonly permitted: number | undefined
}

/** The first call starts the program in its sandbox, and compares every file of it. */
async function starts(path: CallPath): Promise<number> {
  return timed(() => path.ours('first'))
}

function reportOf(rounds: readonly Round[], first: number): BenchResult {
  const ratio = median(rounds.map(({ ours, bare }) => ours / bare))
  const permitted = rounds.flatMap((round) => round.permitted ?? [])
  const told = (values: readonly number[]) => ({
    p50Ms: rounded(median(values)),
    p95Ms: rounded(quantile(values, 0.95)),
  })
  return {
    figures: {
      ratio: rounded(ratio),
      bare: told(rounds.map(({ bare }) => bare)),
      ours: told(rounds.map(({ ours }) => ours)),
      permitted: told(permitted),
      permittedRatio: rounded(median(permitted) / median(rounds.map(({ bare }) => bare))),
      startMs: rounded(first),
      calls: rounds.length,
    },
    goals: [{ name: 'ratio', value: ratio, kind: 'ratio', limit: { atMost: 1.3 } }],
  }
}
