/**
 * Proves that what people write in chats is admitted once and in order, and that what is answered there arrives once, or
 * is called unknown. Real adapters in their own processes, a real gateway and database, and platforms that speak their real
 * protocols. Adapter, gateway and PostgreSQL are killed on the way, connections are lost, and everything is told again.
 * `n` is the number of messages for each kind of channel; there is a kill for every ten.
 */
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { platforms } from './channels/platforms.ts'
import { storm } from './channels/storm.ts'

export const channels: Suite = {
  name: 'channels',
  defaultSize: 1_000,
  mutants: ['told-again-is-new', 'unknown-is-sent-again', 'newest-of-a-chat-first'],
  run,
}

/** A mutant is tried where it shows: on a platform that tells again, and that takes no key. */
const mutantKind = 'telegram'

async function run({ n, seed, only, mutant, log }: SuiteOptions): Promise<SuiteResult> {
  const wanted = mutant === undefined ? only : mutantKind
  const chosen = platforms.filter(({ kind }) => wanted === undefined || kind.includes(wanted))
  const reports = await storm(chosen, {
    messages: n,
    random: createRandom(seed),
    log,
    ...(mutant === undefined ? {} : { mutant }),
  })
  for (const [kind, { wrong }] of reports) for (const each of wrong.slice(0, 10)) log(`${kind}: ${each}`)
  const all = [...reports.values()]
  return {
    n: all.reduce((sum, { counts }) => sum + counts.said, 0),
    failures: all.reduce((sum, { wrong }) => sum + wrong.length, 0),
    details: Object.fromEntries([...reports].map(([kind, { counts }]) => [kind, counts])),
  }
}
