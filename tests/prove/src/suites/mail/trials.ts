/** Runs the trials: received e-mails, outgoing fields, and kills, and counts what must never happen. */
import type { SuiteResult } from '../../suite.ts'
import { openMailBench } from './bench.ts'
import { tryKills } from './kills.ts'
import { tryOutgoing } from './outgoing.ts'
import { tryReceived } from './received.ts'
import type { TrialOptions, Wrong } from './trial.ts'

export async function runTrials(options: TrialOptions): Promise<SuiteResult> {
  const { n, log } = options
  const bench = await openMailBench()
  try {
    const received = await tryReceived(Math.max(3, Math.round(n * 0.6)), options, bench)
    log(`${received.trials} received, ${received.wrong.length} wrong`)
    const outgoing = await tryOutgoing(Math.max(3, Math.round(n * 0.4)), options, bench)
    log(`${outgoing.trials} outgoing, ${outgoing.wrong.length} wrong`)
    const kills = await tryKills(Math.max(1, Math.round(n / 20)), options)
    const parts = [received, outgoing, kills]
    const wrong = parts.flatMap((part) => part.wrong)
    const count = (kind: Wrong) => wrong.filter((one) => one.kind === kind).length
    return {
      n: parts.reduce((sum, { trials }) => sum + trials, 0),
      failures: wrong.length,
      details: {
        doubled: count('doubled'),
        sentWithoutApproval: count('unapproved'),
        misattributed: count('misattributed'),
        other: count('other'),
        kills: kills.trials,
        outcomes: { received: received.outcomes, outgoing: outgoing.outcomes, kills: kills.outcomes },
        examples: wrong.slice(0, 10).map(({ kind, text }) => `${kind}: ${text}`),
      },
    }
  } finally {
    await bench.close()
  }
}
