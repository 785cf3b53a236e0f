/** Fetches a web page and gives its text. Runs none of it, and loads nothing that it names. */
import { z } from 'zod'
import type { WebResponse } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { answerLimits, webRate } from './answer-limits.ts'
import { contentTypeOf, decoded } from './content.ts'
import { type Page, readPage } from './page.ts'
import { redirectedTo } from './redirected.ts'
import { urlEffect } from './url-effect.ts'

export const fetchWebPage = defineTool({
  name: 'fetch_web_page',
  version: '2',
  description: 'Fetch a web page as readable text with its links. Follows redirects of the same host only.',
  input: z.strictObject({
    url: nameText(8192),
    maxChars: z.int().min(200),
    from: z.int().min(0).default(0).describe('Skip so many characters, to read on.'),
  }),
  limit: { param: 'maxChars', max: 100_000, default: 20_000 },
  category: 'web',
  group: 'webFetch',
  tags: [
    'read',
    'browse',
    'website',
    'article',
    'page',
    'url',
    'link',
    'html',
    'markdown',
    'scrape',
    'open',
    'summarise',
    'blog',
    'read this',
  ],
  effect: 'pure',
  floor: 2,
  rate: webRate,
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  runs: 'executor',
  sandbox: 'none',
  egress: 'checked',
  describe: ({ url }) => `Read the page ${url}`,
  preview: ({ url }) => ({ kind: 'http', method: 'GET', url, headers: [], body: '' }),
  async effects({ url }, inspect) {
    const leaves = ['the address']
    return urlEffect(
      { url, method: 'GET', redirects: 'same-host', carries: 'address', verb: 'fetch', leaves },
      inspect,
    )
  },
  async run({ url, maxChars, from }, capabilities, signal) {
    const headers = { accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.5' }
    const response = await capabilities.web.request({
      url,
      method: 'GET',
      headers,
      body: '',
      ...answerLimits,
      signal,
    })
    if (response.kind === 'failed') return failed(response.reason)
    const leads = redirectedTo(response)
    if (leads !== undefined) return failed(`${response.status}: ${url} is not here. ${leads}`)
    const content = contentTypeOf(response)
    if (response.status >= 400) return failed(`${url} answered with status ${response.status}.`)
    if (content.kind === 'other')
      return failed(
        `${url} is ${content.type === '' ? 'not text' : content.type} (${sizeOf(response.body.length)}), ` +
          'which cannot be read as a page.',
      )
    const text = decoded(response, content)
    const page: Page =
      content.kind === 'html'
        ? await readPage(text, response.url)
        : { title: '', text, links: [], cut: response.truncated }
    return succeeded(
      shown(page, response, { from, maxChars }),
      `Read ${response.url} (${page.title || content.type})`,
    )
  },
})

interface Window {
  readonly from: number
  readonly maxChars: number
}

function shown(page: Page, { url }: WebResponse, { from, maxChars }: Window): string {
  const part = page.text.slice(from, from + maxChars).toWellFormed()
  const left = page.text.length - from - part.length
  const head = [page.title === '' ? '' : `# ${page.title}`, url].filter(Boolean).join('\n')
  const notes: string[] = []
  if (part === '') notes.push(from === 0 ? '[The page has no text.]' : '[The page has no more text.]')
  if (left > 0) notes.push(`[${left} characters more; call again with from: ${from + part.length}.]`)
  if (page.cut && left <= 0) notes.push('[The page goes on, but only its beginning could be read.]')
  return [head, part, ...notes, from === 0 ? linkList(page.links, part) : ''].filter(Boolean).join('\n\n')
}

const mostLinks = 40
const longestLink = 300

/** Those that the text does not name already. */
function linkList(links: Page['links'], text: string): string {
  const others = links
    .filter(({ url }) => url.length <= longestLink && !text.includes(url))
    .slice(0, mostLinks)
  if (others.length === 0) return ''
  return ['Links:', ...others.map((link) => `- ${link.text}: ${link.url}`)].join('\n')
}
