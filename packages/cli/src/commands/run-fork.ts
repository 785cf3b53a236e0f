/** `countersign run fork`: the same message once more, in a new session with what was said before it. */
import { randomUUID } from 'node:crypto'
import { CountersignError, type RunView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
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
  const text = await messageOf(client, run)
  const made = await client.forkSession(run.session, { before: run.id, simulate })
  const sent = await client.send({ key: randomUUID(), session: made.session, text, mode: 'auto' })
  const does = simulate
    ? 'It has no effects: calls are answered with recorded results.'
    : 'It has effects: calls are made again, subject to policy and approval.'
  const next = sent.run === null ? `session thread ${made.session}` : `run tail ${sent.run}`
  return done(
    { ...made, simulate, run: sent.run, input: sent.input },
    [
      `Sent again in ${made.session}  ${line(made.title)}.${ledgerMark(sent.ledger)}`,
      does,
      `Look with \`countersign ${next}\`.`,
    ].join('\n'),
  )
}

/** The message whole: a run says only its beginning. */
async function messageOf(client: Client, run: RunView): Promise<string> {
  const { messages } = await client.session(run.session)
  const said = messages.find((message) => message.run === run.id && message.role === 'operator')?.text
  const text = said ?? run.asked
  if (text === '')
    throw new CountersignError(
      'conflict',
      `The message of ${run.id} is no longer stored, so it cannot be sent again.`,
      {
        next: `Fork its conversation with \`countersign session fork ${run.session} --before ${run.id}\`.`,
      },
    )
  return text
}
