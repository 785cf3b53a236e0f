/** `countersign ledger tail`: follows the ledger, in sentences or as one document on each line. */
import type { LedgerEntryView } from '@countersign/contract'
import { createLedgerFollowing } from '@countersign/contract/client'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { follow } from '../follow.ts'
import { ended } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { countIn, problemOf, unread } from './ledger-query.ts'
import { rowText } from './ledger-words.ts'

const firstEntries = 10

/** Ends when the time of `--wait` is over, with Ctrl-C, or when nobody reads any more. */
export const tail: Handler = async (context, [text = ''], options) => {
  const streams = options['stream'] === true
  if (context.flags.json && !streams)
    return usage(
      '`tail` has no end and no single JSON document. Use --stream for one document per line.',
      'ledger tail',
    )
  const problem = problemOf(text)
  if (problem) return unread(text, problem)
  const count = countIn(options['last'], firstEntries)
  if (count === undefined) return usage('--last is a number from 0 to 500.', 'ledger tail')
  const gateway = await context.gateway()
  const { client } = gateway
  const { output, wait } = context.host
  const write = (entries: readonly LedgerEntryView[]) => {
    for (const entry of entries)
      if (streams) output.write(`${JSON.stringify(entry)}\n`)
      else context.say(rowText(entry, context))
  }

  const over = new AbortController()
  const end = () => over.abort()
  process.once('SIGINT', end)
  output.once('close', end)
  const timer = context.flags.waitMs === undefined ? undefined : setTimeout(end, context.flags.waitMs)
  try {
    const first = await client.ledger({ q: text, limit: Math.max(1, count) })
    write(first.entries.slice(0, count).toReversed())
    await followed({ gateway, wait, signal: over.signal, q: text, after: first.size, write })
    return ended(0)
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', end)
    output.off('close', end)
  }
}

interface FollowedLedger {
  readonly gateway: Gateway
  readonly wait: Context['host']['wait']
  readonly signal: AbortSignal
  readonly q: string
  readonly after: number
  readonly write: (entries: readonly LedgerEntryView[]) => void
}

/** Ends with the signal. A connection that is lost is opened again, and brings what was written meanwhile. */
async function followed({ gateway, wait, signal, q, after, write }: FollowedLedger): Promise<void> {
  if (signal.aborted) return
  const following = createLedgerFollowing({ id: 'tail', q, after, language: 'en', onEntries: write })
  const feed = await follow({
    connect: gateway.connect,
    since: null,
    onFrame: following.take,
    onLost: () => undefined,
    onBack: () => feed.followLedger(following.frame()),
    wait,
    signal,
  })
  feed.followLedger(following.frame())
  await feed.ended
}
