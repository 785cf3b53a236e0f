/** Searches the web through a service that the operator has a key for. Opens none of what it finds. */
import { z } from 'zod'
import { defineTool, perMinute } from '../definition.ts'
import { failed, succeeded, textOf } from '../result.ts'
import { nameText } from '../text.ts'
import { answerLimits } from './answer-limits.ts'
import { redirectedTo } from './redirected.ts'
import { type Hit, type ProviderName, providerNames, searchProviders } from './search-provider.ts'
import { urlEffect } from './url-effect.ts'

export const searchWeb = defineTool({
  name: 'search_web',
  version: '4',
  description: 'Search the web. Gives titles, addresses and excerpts; fetch a page to read it.',
  input: z
    .strictObject({
      query: nameText(400),
      maxResults: z.int().min(1),
      provider: z.enum(providerNames).default('brave'),
      endpoint: nameText(2048).optional().describe('Address of a service of your own; searxng needs one.'),
    })
    .refine(({ provider, endpoint }) => provider !== 'searxng' || endpoint !== undefined, {
      path: ['endpoint'],
      message: 'searxng needs the address of the instance, as https://search.example.org',
    }),
  limit: { param: 'maxResults', max: 20, default: 10 },
  category: 'web',
  group: 'webFetch',
  tags: [
    'google',
    'internet',
    'online',
    'find',
    'look up',
    'lookup',
    'query',
    'news',
    'in the news',
    'information',
    'research',
    'reviews',
    'opening hours',
    'best',
    'latest',
    'weather',
    'price of',
    'facts',
    'brave',
    'bing',
    'forecast',
    'rain',
    'restaurant',
    'hotel',
    'nearby',
    'near me',
    'population',
    'capital',
    'meaning of',
    'definition',
    'recipe for',
    'train times',
    'flights',
    'score',
    'history of',
    'who is',
    'where can i',
    'how do i',
  ],
  effect: 'pure',
  floor: 2,
  rate: perMinute(20),
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  runs: 'executor',
  sandbox: 'none',
  egress: 'checked',
  secrets: ({ provider }) => namesOf(provider),
  serviceKeys: ({ provider, endpoint }) => (endpoint === undefined ? namesOf(provider) : []),
  describe: ({ query, provider }) => `Search the web with ${provider} for ${query}`,
  preview(args) {
    const request = searchProviders[args.provider].ask(searchOf(args))
    if (!request) return { kind: 'text', title: 'Search', text: args.query }
    const { method, url, headers, body } = request
    return { kind: 'http', method, url, headers: Object.entries(headers), body }
  },
  async effects(args, inspect) {
    const request = searchProviders[args.provider].ask(searchOf(args))
    if (!request) return { kind: 'invalid', reason: 'Say the address of the instance as endpoint.' }
    const { url, method, body } = request
    const carries = body === '' ? 'address' : 'more'
    const leaves = ['the search words', ...namesOf(args.provider).map((name) => `the secret ${name}`)]
    return urlEffect({ url, method, redirects: 'refused', carries, verb: 'fetch', leaves }, inspect)
  },
  async run(args, capabilities, signal) {
    const provider = searchProviders[args.provider]
    const request = provider.ask(searchOf(args))
    if (!request) return failed('Say the address of the instance as endpoint.')
    const response = await capabilities.web.request({ ...request, ...answerLimits, signal })
    if (response.kind === 'failed') return failed(response.reason)
    if (response.status !== 200)
      return failed(refusal(args.provider, request.url, response.status, redirectedTo(response)))
    const hits = provider.read(parsed(textOf(response.body)))
    if (!hits) return failed(`${args.provider} gave an answer that is not a list of results.`)
    const found = hits.slice(0, args.maxResults)
    if (found.length === 0) return succeeded(`Nothing was found for ${args.query}.`, 'Found nothing')
    return succeeded(found.map(line).join('\n\n'), `Found ${found.length} for ${args.query}`)
  },
})

function searchOf({
  query,
  maxResults,
  endpoint,
}: {
  query: string
  maxResults: number
  endpoint?: string | undefined
}) {
  return { query, maxResults, endpoint }
}

function namesOf(provider: ProviderName): string[] {
  const { secret } = searchProviders[provider]
  return secret === null ? [] : [secret]
}

function line({ title, url, text }: Hit, index: number): string {
  return [`${index + 1}. ${title}`, `   ${url}`, ...(text === '' ? [] : [`   ${text}`])].join('\n')
}

function refusal(provider: ProviderName, url: string, status: number, leads: string | undefined): string {
  const [secret] = namesOf(provider)
  const host = URL.parse(url)?.hostname ?? ''
  if (leads !== undefined) return `${provider} answered with status ${status}. ${leads}`
  if (status === 429) return `${provider} allows no more searches for now (status 429). Try again later.`
  if ((status === 401 || status === 403) && secret !== undefined)
    return `${provider} does not accept the key (status ${status}). To give another: countersign secret set ${secret} --host ${host}`
  if (status === 403 && provider === 'searxng')
    return 'The instance gives no JSON (status 403). Allow the format json in its settings.'
  return `${provider} answered with status ${status}.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is one of the shapes that are not a list of results.
    return undefined
  }
}
