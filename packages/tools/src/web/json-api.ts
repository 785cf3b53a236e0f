/** Asks an HTTP interface that speaks JSON, and gives the answer or a part of it, laid out to be read. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded, textOf } from '../result.ts'
import { nameText } from '../text.ts'
import { answerLimits, webRate } from './answer-limits.ts'
import { parseExact, pickPath } from './exact-json.ts'
import { redirectedTo } from './redirected.ts'
import { isFetch, isHeader, urlEffect } from './url-effect.ts'

export const jsonApi = defineTool({
  name: 'json_api',
  version: '2',
  description: 'Send a request with JSON to an API and read the JSON it answers, or the part at a path.',
  input: z
    .strictObject({
      url: nameText(8192),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.record(z.string(), z.unknown()).optional(),
      path: nameText(500).optional().describe('As items.0.name'),
    })
    .refine(({ method, body }) => body === undefined || !isFetch(method), {
      path: ['body'],
      message: 'a GET has none',
    })
    .refine(({ headers }) => Object.entries(headers).every(isHeader), {
      path: ['headers'],
      message: 'not a header',
    }),
  category: 'web',
  group: 'webFetch',
  tags: [
    'rest',
    'http',
    'endpoint',
    'service',
    'request',
    'post',
    'get',
    'webhook',
    'graphql',
    'weather',
    'rates',
  ],
  effect: 'once',
  floor: 2,
  rate: webRate,
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  runs: 'executor',
  sandbox: 'none',
  egress: 'checked',
  describe: ({ method, url }) => `${method} ${url} as JSON`,
  preview: ({ url, method, headers, body }) => ({
    kind: 'http',
    method,
    url,
    headers: Object.entries(headersOf(headers, body)),
    body: body === undefined ? '' : JSON.stringify(body, null, 2),
  }),
  async effects({ url, method, headers, body }, inspect) {
    const leaves = ['the address']
    if (Object.keys(headers).length > 0) leaves.push(`headers: ${Object.keys(headers).toSorted().join(', ')}`)
    if (body !== undefined) leaves.push(`a body of ${sizeOf(Buffer.byteLength(JSON.stringify(body)))}`)
    const fetching = isFetch(method)
    const carries = leaves.length > 1 ? 'more' : 'address'
    const redirects = fetching ? 'same-host' : 'refused'
    return urlEffect({ url, method, redirects, carries, verb: fetching ? 'fetch' : 'send', leaves }, inspect)
  },
  async run({ url, method, headers, body, path }, capabilities, signal) {
    const response = await capabilities.web.request({
      url,
      method,
      headers: headersOf(headers, body),
      body: body === undefined ? '' : JSON.stringify(body),
      ...answerLimits,
      signal,
    })
    if (response.kind === 'failed') return failed(response.reason)
    const { status } = response
    const summary = `${method} ${url}: ${status}`
    const leads = redirectedTo(response)
    if (leads !== undefined) return failed(`${status}. ${leads}`)
    const text = textOf(response.body)
    if (text.trim() === '')
      return { ok: status < 400, text: `${status}, with no answer.`, summary, undo: null }
    const parsed = parseExact(text)
    if (parsed.kind === 'broken')
      return failed(
        `${status}, and the answer is not JSON (${parsed.reason}). It begins:\n${cut(text, 1000)}`,
      )
    if (status >= 400) return failed(`${status}\n${cut(pretty(parsed.value), longestText)}`)
    const picked = pickPath(parsed.value, path ?? '')
    if (picked.kind === 'missing')
      return failed(
        `${status}, but the answer has nothing at ${picked.at}. There is: ${cut(picked.instead, 1000)}`,
      )
    return succeeded(`${status}\n${cut(pretty(picked.value), longestText)}`, summary)
  },
})

const longestText = 100_000

function headersOf(headers: Readonly<Record<string, string>>, body: unknown): Record<string, string> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const usual = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return { ...Object.fromEntries(Object.entries(usual).filter(([name]) => !given.has(name))), ...headers }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).toWellFormed()}\n[${text.length - longest} characters more; ask for a path.]`
}
