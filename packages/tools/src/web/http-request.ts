/** Sends one HTTP request through the egress client. A redirect is returned, never followed. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, textOf } from '../result.ts'
import { nameText } from '../text.ts'

export const httpRequest = defineTool({
  name: 'http_request',
  version: '1',
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
  tags: ['fetch', 'api', 'download', 'url', 'get', 'post'],
  effect: 'once',
  floor: 2,
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
  async effects({ url, method, headers, body }, look) {
    const sight = look.url(url, method)
    if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
    const fetching = isFetch(method)
    const leaves = ['the address']
    if (Object.keys(headers).length > 0) leaves.push(`headers: ${Object.keys(headers).toSorted().join(', ')}`)
    if (body !== '') leaves.push(`a body of ${sizeOf(Buffer.byteLength(body))}`)
    const { scheme, host, port } = sight.resource
    return {
      kind: 'found',
      resources: [sight.resource],
      effects: [
        {
          verb: fetching ? 'fetch' : 'send',
          object: `${scheme}://${host}:${port}`,
          scope: 'boundary',
          reversible: fetching,
          outward: !fetching,
          leaves,
        },
      ],
    }
  },
  async run({ url, method, headers, body }, hands, signal) {
    const outcome = await hands.web.request({
      url,
      method,
      headers,
      body,
      maxBytes: longestAnswer,
      timeoutMs: longestWait,
      signal,
    })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const shown = outcome.headers.filter(([name]) => shownHeaders.has(name.toLowerCase()))
    const head = [
      `${outcome.status}`,
      ...shown.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
    ].join('\n')
    const text = `${head}\n\n${textOf(outcome.body)}${outcome.truncated ? '\n[cut]' : ''}`
    return { ok: outcome.status < 400, text, summary: `${method} ${url}: ${outcome.status}`, undo: null }
  },
})

const longestAnswer = 200_000
const longestWait = 30_000
const shownHeaders = new Set(['content-type', 'location', 'retry-after', 'etag', 'last-modified'])
const isFetch = (method: string) => method === 'GET' || method === 'HEAD'

function isHeader([name, value]: [string, string]): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name) && /^[\x20-\x7e\t]{0,4096}$/.test(value)
}
