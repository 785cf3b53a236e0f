/** `countersign search`: finds by meaning, and shows where each text is and whose words it has. */
import type { SearchAnswer, SearchHit } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'

const mostRows = 50

export const search: Handler = async (context, [words = ''], options) => {
  const { limit, in: collection } = options
  if (words.trim() === '')
    return usage('Say what you are looking for, for example `countersign search "boat trip"`.', 'search')
  if (
    limit !== undefined &&
    !(Number.isInteger(Number(limit)) && Number(limit) >= 1 && Number(limit) <= mostRows)
  )
    return usage(`--limit is a number from 1 to ${mostRows}.`, 'search')
  const found = await (await context.gateway()).client.search({
    q: words,
    ...(typeof collection === 'string' ? { in: collection } : {}),
    ...(typeof limit === 'string' ? { limit } : {}),
  })
  return done(found, () => answerText(words, found, context))
}

function answerText(words: string, { hits, wordsAlone }: SearchAnswer, context: Context): string {
  const parts =
    hits.length === 0
      ? [`Nothing matches “${line(words)}”. Try other words, or \`countersign memory search\`.`]
      : hits.map((hit) => hitText(hit, context))
  if (wordsAlone !== null)
    parts.push(
      `Found by words alone: ${line(wordsAlone)}\nTo search by meaning, run \`countersign provider add local-embeddings\`.`,
    )
  return parts.join('\n\n')
}

function hitText({ collection, source, title, text, at, score, label }: SearchHit, context: Context): string {
  const whose =
    label?.integrity === 'untrusted' ? `, words of others (${label.sources.map(line).join(', ')})` : ''
  const facts = `${line(collection)}, ${ago(at, context.moment())}, fit ${score.toFixed(2)}${whose}`
  const said = line(text)
  return [
    context.paint('strong', line(title === '' ? source : title)),
    indent(said.length > longestShown ? `${said.slice(0, longestShown - 1).toWellFormed()}…` : said),
    indent(`${facts}  ${line(placeOf(collection, source))}`),
  ].join('\n')
}

/** What a person would open. */
function placeOf(collection: string, source: string): string {
  if (collection !== 'conversations') return source
  const [session = ''] = source.split('/')
  return `countersign session thread ${session}`
}

const longestShown = 300
