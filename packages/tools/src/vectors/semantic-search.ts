/** Finds texts by what they mean. What is told carries what each of the texts is worth. */
import {
  AccountName,
  type BuiltInCollection,
  type ContentQuery,
  entriesOf,
  type FoundContent,
  isBuiltInCollection,
  MailAccount,
  mailAccountsCollection,
  type RecordResource,
  type ToolCatalogue,
  vectorCollections,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type EffectsResult } from '../definition.ts'
import { accountIn, placeIn } from '../mail/email-id.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { listing, recordEffect, recordResource } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { collectionName, lookFacts } from './entries.ts'

const most = { param: 'topK', max: 50, default: 10 } as const

type SearchArgs = {
  readonly query: string
  readonly collection: string
  readonly account?: string
  readonly topK: number
}

export const semanticSearch = defineTool<SearchArgs>({
  ...lookFacts,
  name: 'semantic_search',
  version: '2',
  description:
    'Find texts by meaning, whatever their words: in conversations, notes, files of the workspace, e-mails, or a vector collection.',
  input: z
    .strictObject({
      query: z.string().trim().min(1).max(1_000),
      collection: collectionName.describe(
        'conversations, notes, files, emails, or the name of a vector collection',
      ),
      account: AccountName.exactOptional().describe('With emails: search this account alone'),
      topK: z.int().min(1).default(most.default),
    })
    .refine(({ collection, account }) => collection === 'emails' || account === undefined, {
      path: ['account'],
      message: 'only e-mails have an account',
    }) as unknown as z.ZodType<SearchArgs>,
  tags: [
    'vector',
    'embedding',
    'meaning',
    'similar',
    'related',
    'knowledge base',
    'rag',
    'nearest',
    'find by meaning',
    'what did we say about',
    'e-mail about',
  ],
  limit: most,
  runs: 'gateway',
  describe: ({ query, collection }) => `Search ${collection} by meaning: ${brief(query)}`,
  preview: ({ query, collection }) => ({
    kind: 'text',
    title: `Search ${collection} by meaning`,
    text: query,
  }),
  effects: async ({ collection, account }, context) =>
    collection === 'emails'
      ? emailEffects(account, context)
      : listing(isBuiltInCollection(collection) ? collection : entriesOf(collection), collection),
  texts: ({ query }) => [query],
  async run({ query, collection, account, topK }, context) {
    const isKept = isBuiltInCollection(collection)
    if (isKept && !mayRead(collection, context.catalogue))
      return failed(`${collection} cannot be searched: ${readingTools[collection]} is not among your tools.`)
    if (!isKept && !(await context.records.get(vectorCollections, collection)))
      return failed(`There is no collection ${collection}. Look with list_vector_collections.`)
    const { embedded } = context
    const [vector] = embedded?.kind === 'embedded' ? embedded.vectors : []
    const meaning = embedded?.kind === 'embedded' && vector ? { model: embedded.model, vector } : null
    const wanted: ContentQuery = { collection, text: query, meaning, limit: topK }
    const found = await context.assistant.content.search({
      ...wanted,
      ...(account === undefined ? {} : { account }),
    })
    const count = counted(found.length, 'text', 'texts')
    const byWords = meaning === null ? ` By words alone, since ${reasonIn(embedded)}.` : ''
    if (found.length === 0)
      return succeeded(`Nothing in ${collection} fits.${byWords}`, `Found nothing in ${collection}`)
    const told = found.map(({ source, title, text, at, score, label }) => ({
      id: source,
      ...(collection === 'emails' ? placeOf(source) : {}),
      ...(title === '' ? {} : { title }),
      text,
      at,
      score: Math.round(score * 1_000) / 1_000,
      ...(label?.integrity === 'untrusted' ? { untrusted: label.sources } : {}),
    }))
    const summary = `Found ${count} in ${collection}`
    return tellingOf(found, succeeded(`${count}, the best first.${byWords}\n${lines(told)}`, summary))
  },
})

/** Whoever may not read them otherwise does not find them either. */
const readingTools = {
  conversations: 'search_agent_history',
  notes: 'list_notes',
  files: 'read_file',
  emails: 'read_email',
} as const satisfies Readonly<Record<BuiltInCollection, string>>

function mayRead(collection: BuiltInCollection, catalogue: ToolCatalogue): boolean {
  return catalogue.find(readingTools[collection]) !== undefined
}

function reasonIn(embedded: { readonly kind: string; readonly reason?: string } | undefined): string {
  return embedded?.reason ?? 'there is no model for embeddings'
}

/** Each account that is searched, and the server that its e-mails are on: rules that speak of it hold for the copy too. */
async function emailEffects(
  account: string | undefined,
  { assistant, records }: RecordToolContext,
): Promise<EffectsResult> {
  const searched = await assistant.content.mailboxes()
  const names = account === undefined ? searched : searched.filter((name) => name === account)
  if (names.length === 0)
    return {
      kind: 'invalid',
      reason: `${account === undefined ? 'No e-mail account' : `The e-mail account ${account}`} is searchable. The operator makes one searchable with \`countersign mail searchable ${account ?? 'work'} on\`.`,
    }
  const resources: RecordResource[] = [recordResource('emails', '*', 'list', null)]
  for (const name of names) {
    const known = MailAccount.safeParse((await records.get(mailAccountsCollection, name))?.data)
    if (!known.success) return { kind: 'invalid', reason: `There is no e-mail account ${name}.` }
    resources.push({ ...recordResource('emails', name, 'list', null), server: known.data.imap.host })
  }
  return { kind: 'found', resources, effects: [recordEffect('list', `e-mails of ${names.join(', ')}`)] }
}

/** What read_email is told by. */
function placeOf(id: FoundContent['source']): { readonly account?: string; readonly folder?: string } {
  const account = accountIn(id)
  const folder = placeIn(id)?.folder
  return account === undefined || folder === undefined ? {} : { account, folder }
}
