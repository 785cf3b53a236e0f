/** Owns chats with a real database behind them, in which the operator and a guest were let in, and platforms that only remember. */
import { operatorLabel } from '@countersign/contract'
import { sql } from 'kysely'
import {
  type BenchChannel,
  type BenchOptions,
  type ChannelBench,
  openChannelBench,
} from '../../../../../packages/gateway/src/channels/testing/channel-bench.ts'
import { until } from '../../until.ts'
import type { Stage } from './stage.ts'

export interface Chats {
  readonly bench: ChannelBench
  readonly channel: string
}

export async function openChats(
  stage: Stage,
  options: BenchOptions = {},
  given: BenchChannel = {},
): Promise<Chats> {
  const bench = await openChannelBench(options)
  stage.afterwards(() => bench.close())
  const channel = bench.addChannel(given)
  await bench.letIn(channel, 'op', 'operator')
  await bench.letIn(channel, 'ann', 'guest')
  // From here on what is answered is told.
  await (await bench.openAnswers()).close()
  return { bench, channel }
}

/** What is told of every run so far, after all that they know became private. */
export async function answersOfPrivate({ bench, channel }: Chats) {
  await bench.quiet()
  await bench.query(
    sql`update runs set label = ${JSON.stringify({ ...operatorLabel, confidentiality: 'private' })}`,
  )
  const answers = await bench.openAnswers()
  const replies = async () => (await bench.letters(channel)).filter(({ kind }) => kind === 'reply')
  const { runs } = await bench.test.kernel.readOnly(bench.operator, (db) =>
    db
      .selectFrom('runs')
      .select(({ fn }) => fn.countAll<string>().as('runs'))
      .executeTakeFirstOrThrow(),
  )
  await until(async () => (await replies()).length >= Number(runs), 20_000)
  await answers.close()
  return replies()
}
