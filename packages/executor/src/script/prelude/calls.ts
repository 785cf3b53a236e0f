/** Owns calling tools, and `fetch` on top of them. Runs inside the machine as source text. */
import type { Host, PreludeSetup } from './globals.ts'

interface FetchInit {
  readonly method?: string
  readonly headers?: Record<string, string> | readonly (readonly [string, string])[]
  readonly body?: string
}

export function calls(host: Host, setup: PreludeSetup): object {
  const { stringify, parse } = JSON
  const ask = async (tool: unknown, args: unknown) => {
    const raw = await host.call(String(tool), stringify(args ?? {}) ?? '')
    return { ok: raw.startsWith('1'), text: raw.slice(1) }
  }
  const callTool = async (tool: unknown, args?: unknown) => {
    // Made before the wait, so that it knows the line of the call.
    const problem = new Error()
    const { ok, text } = await ask(tool, args)
    if (ok) return text
    problem.message = text
    throw problem
  }
  const fetch = async (url: unknown, init: FetchInit = {}) => {
    const problem = new TypeError()
    const method = String(init.method ?? 'GET').toUpperCase()
    if (init.body !== undefined && typeof init.body !== 'string')
      throw new TypeError('The body of a request must be text; use JSON.stringify.')
    const given = Array.isArray(init.headers) ? Object.fromEntries(init.headers) : (init.headers ?? {})
    const headers = Object.fromEntries(
      Object.entries(given as object).map(([name, value]) => [name, String(value)]),
    )
    const { text } = await ask('http_request', {
      url: String(url),
      method,
      headers,
      ...(init.body === undefined ? {} : { body: init.body }),
    })
    const [, status = '', head = '', body = ''] = /^(\d{3})\n((?:[^\n]+\n)*)\n([^]*)$/.exec(text) ?? []
    // An answer without a status is the reason why there was no answer.
    if (status === '') {
      problem.message = text
      throw problem
    }
    const found = new Map(
      head
        .split('\n')
        .filter((each) => each.includes(': '))
        .map((each) => [each.slice(0, each.indexOf(': ')).toLowerCase(), each.slice(each.indexOf(': ') + 2)]),
    )
    return {
      ok: status.startsWith('2'),
      status: Number(status),
      url: String(url),
      headers: {
        get: (name: string) => found.get(String(name).toLowerCase()) ?? null,
        has: (name: string) => found.has(String(name).toLowerCase()),
        entries: () => found.entries(),
      },
      text: async () => body,
      json: async () => parse(body) as unknown,
    }
  }
  return { callTool, fetch, listTools: () => [...setup.tools] }
}
