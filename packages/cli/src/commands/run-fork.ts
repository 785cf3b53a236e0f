/** `countersign run fork`: the same message once more, in a new session with what was said before it. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'

export const fork: Handler = async (context, [id = ''], options) => {
  const simulate = options.simulate !== false
  const { client } = await context.gateway()
  const { run } = await client.run(id)
  if (run.kind !== 'agent')
    return usage(`${run.id} is not a run of an agent, so it has no message.`, 'run fork')
  const made = await client.forkSession(run.session, { before: run.id, simulate })
  const sent = await client.retryRun(run.id, { session: made.session })
  const does = simulate
    ? 'It has no effects: calls are answered with recorded results.'
    : 'It has effects: calls are made again, subject to policy and approval.'
  const next = sent.run === null ? `session thread ${made.session}` : `run tail ${sent.run}`
  return done(
    { ...made, simulate, run: sent.run },
    [
      `Sent again in ${made.session}  ${line(made.title)}.${ledgerMark(sent.ledger)}`,
      does,
      `Look with \`countersign ${next}\`.`,
    ].join('\n'),
  )
}
