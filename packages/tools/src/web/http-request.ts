/** Sends one HTTP request through the egress client. A redirect is returned, never followed. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, textOf } from '../result.ts'
import { nameText } from '../text.ts'
import { answerLimits, webRate } from './answer-limits.ts'
import { redirectedTo } from './redirected.ts'
import { isFetch, isHeader, urlEffect } from './url-effect.ts'

export const httpRequest = defineTool({
  name: 'http_request',
  version: '3',
  description: 'Send an HTTP request. Redirects are returned, not followed.',
  input: z
    .strictObject({
      url: nameText(8192),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string().default(''),
    })
    .refine(({ method, body }) => body === '' || !isFetch(method), {
      path: ['body'],
      message: 'a GET or HEAD has none',
    })
    .refine(({ headers }) => Object.entries(headers).every(isHeader), {
      path: ['headers'],
      message: 'not a header',
    }),
  category: 'web',
  group: 'webFetch',
  tags: [
    'fetch',
    'api',
    'rest',
    'download',
    'url',
    'get',
    'post',
    'put',
    'curl',
    'webhook',
    'endpoint',
    'send',
  ],
  effect: 'once',
  listed: true,
  floor: 2,
  rate: webRate,
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  runs: 'executor',
  sandbox: 'none',
  egress: 'checked',
  describe: ({ method, url }) => `${method} ${url}`,
  preview: ({ method, url, headers, body }) => ({
    kind: 'http',
    method,
    url,
    headers: Object.entries(headers),
    body,
  }),
  async effects({ url, method, headers, body }, inspect) {
    const leaves = ['the address']
    if (Object.keys(headers).length > 0) leaves.push(`headers: ${Object.keys(headers).toSorted().join(', ')}`)
    if (body !== '') leaves.push(`a body of ${sizeOf(Buffer.byteLength(body))}`)
    const carries = leaves.length > 1 ? 'more' : 'address'
    const verb = isFetch(method) ? 'fetch' : 'send'
    return urlEffect({ url, method, redirects: 'refused', carries, verb, leaves }, inspect)
  },
  async run({ url, method, headers, body }, capabilities, signal) {
    const outcome = await capabilities.web.request({
      url,
      method,
      headers,
      body,
      maxBytes: longestAnswer,
      timeoutMs: answerLimits.timeoutMs,
      signal,
    })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const shown = outcome.headers.filter(([name]) => shownHeaders.has(name.toLowerCase()))
    const head = [
      `${outcome.status}`,
      ...shown.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
    ].join('\n')
    const leads = redirectedTo(outcome)
    const note = leads === undefined ? '' : `\n${leads}`
    const text = `${head}${note}\n\n${textOf(outcome.body)}${outcome.truncated ? '\n[cut]' : ''}`
    return { ok: outcome.status < 400, text, summary: `${method} ${url}: ${outcome.status}`, undo: null }
  },
})

const longestAnswer = 200_000
const shownHeaders = new Set(['content-type', 'location', 'retry-after', 'etag', 'last-modified'])
