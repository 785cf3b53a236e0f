/** Owns the services that can search the web: how each is asked, and how its answer reads. */
import { secretHandle } from '@countersign/contract'
import { oneLine } from './plain-text.ts'

export interface Search {
  readonly query: string
  readonly maxResults: number
  /** Another address of the service; the base address for one that has no address of its own. */
  readonly endpoint: string | undefined
}

export interface SearchRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Hit {
  readonly title: string
  readonly url: string
  readonly text: string
}

export interface SearchProvider {
  /** The secret that it takes. */
  readonly secret: string | null
  /** Nothing without an address to ask. */
  ask(search: Search): SearchRequest | undefined
  /** Nothing if the answer does not have the shape that the service promises. */
  read(answer: unknown): readonly Hit[] | undefined
}

export const providerNames = ['brave', 'tavily', 'searxng'] as const
export type ProviderName = (typeof providerNames)[number]

export const searchProviders: Readonly<Record<ProviderName, SearchProvider>> = {
  brave: {
    secret: 'brave_search',
    ask: ({ query, maxResults, endpoint = 'https://api.search.brave.com/res/v1/web/search' }) => ({
      url: withQuery(endpoint, { q: query, count: String(maxResults) }),
      method: 'GET',
      headers: { accept: 'application/json', 'x-subscription-token': secretHandle('brave_search') },
      body: '',
    }),
    // A search that finds nothing has no part for the web at all.
    read: (answer) => {
      const web = field(answer, 'web')
      return web === undefined && isObject(answer) ? [] : hits(field(web, 'results'), 'description')
    },
  },
  tavily: {
    secret: 'tavily',
    ask: ({ query, maxResults, endpoint = 'https://api.tavily.com/search' }) => ({
      url: endpoint,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${secretHandle('tavily')}`,
      },
      body: JSON.stringify({ query, max_results: maxResults }),
    }),
    read: (answer) => hits(field(answer, 'results'), 'content'),
  },
  searxng: {
    secret: null,
    ask: ({ query, endpoint }) =>
      endpoint === undefined
        ? undefined
        : {
            url: withQuery(`${endpoint.replace(/\/+$/, '')}/search`, { q: query, format: 'json' }),
            method: 'GET',
            headers: { accept: 'application/json' },
            body: '',
          },
    read: (answer) => hits(field(answer, 'results'), 'content'),
  },
}

/** The words are encoded, so that a handle among them stays a word. */
function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`
}

function hits(list: unknown, textField: string): readonly Hit[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.flatMap((item: unknown) => {
    const url = URL.parse(textIn(item, 'url'))
    if (url === null || !/^https?:$/.test(url.protocol)) return []
    const title = oneLine(textIn(item, 'title')).slice(0, 200)
    return [
      {
        title: title === '' ? url.host : title,
        url: url.href,
        text: short(oneLine(textIn(item, textField))),
      },
    ]
  })
}

const longestText = 500

function short(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function textIn(value: unknown, name: string): string {
  const found = field(value, name)
  return typeof found === 'string' ? found : ''
}
