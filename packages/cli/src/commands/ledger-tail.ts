/** `countersign ledger tail`: follows the ledger, in sentences or as one document on each line. */
import type { LedgerEntryView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Handler } from '../context.ts'
import { ended } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { countIn, problemOf, unread } from './ledger-query.ts'
import { rowText } from './ledger-words.ts'

const pollMs = 1_000
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
  const { client } = await context.gateway()
  const { output, wait } = context.host
  const write = (entries: readonly LedgerEntryView[]) => {
    for (const entry of entries.toReversed())
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
    write(first.entries.slice(0, count))
    let after = first.size
    while (!over.signal.aborted) {
      await wait(pollMs, over.signal)
      if (over.signal.aborted) break
      const { entries, size } = await newerThan(client, text, after)
      write(entries)
      after = size
    }
    return ended(0)
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', end)
    output.off('close', end)
  }
}

/** Every page of it. What is written while they are read comes the next time. */
async function newerThan(
  client: Pick<Client, 'ledger'>,
  q: string,
  after: number,
): Promise<{ entries: LedgerEntryView[]; size: number }> {
  const first = await client.ledger({ q, after, limit: 500 })
  const entries = [...first.entries]
  for (let before = first.next; before !== null; ) {
    const page = await client.ledger({ q, after, before, limit: 500 })
    entries.push(...page.entries)
    before = page.next
  }
  return { entries, size: first.size }
}
