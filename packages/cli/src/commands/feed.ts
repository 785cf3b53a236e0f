/** `countersign feed`: what happened, each sentence with the ledger entries it stands on. */
import type { FeedView } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { line } from '../output/safe-text.ts'
import { clockTime } from '../output/time.ts'

export const show: Handler = async (context, _args, options) => {
  const since = typeof options['since'] === 'string' ? { since: dayStart(options['since']) } : {}
  const feeds = await (await context.gateway()).client.feeds({ limit: '7', ...since })
  if (feeds.length === 0) return done({ feeds }, 'No digest yet. Write one with `countersign feed make`.')
  return done(
    { feeds },
    feeds
      .toReversed()
      .map((feed) => feedText(feed, context))
      .join('\n\n'),
  )
}

export const make: Handler = async (context, _args, options) => {
  const { feed, ledger } = await (await context.gateway()).client.makeFeed(options['digest'] !== true)
  const worded =
    options['digest'] === true || feed.items.length === 0
      ? ''
      : '\nA model is writing it; see `countersign feed show` in a moment.'
  return done({ feed, ledger }, `${feedText(feed, context)}${worded}\nLedger #${ledger}`)
}

function feedText(feed: FeedView, context: Pick<Context, 'paint' | 'moment'>): string {
  const head = `${context.paint('strong', clockTime(feed.at, context.moment()))}${feed.by === 'digest' ? '  digest' : ''}`
  if (feed.items.length === 0) return `${head}\n  Nothing happened.`
  const items = feed.items.map(({ text, refs, run, undoable }) => {
    const undo = undoable && run !== null ? `  undo: countersign run undo ${run}` : ''
    return `  ${line(text)}\n    ${context.paint('quiet', `ledger ${refs.map((ref) => `#${ref}`).join(' ')}${undo}`)}`
  })
  return [head, ...items].join('\n')
}

function dayStart(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
}
