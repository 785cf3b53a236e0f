/** Owns one habit of OpenAI: it refuses to summarise the reasoning for accounts that it has not verified, and then the whole request. */

/** Asks once more without a summary where the summary was what it refused. A refused request costs nothing. */
export function withoutRefusedSummary(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let refused = false
  return async (input, init) => {
    const plain = typeof init?.body === 'string' ? withoutSummary(init.body) : undefined
    if (plain === undefined) return fetch(input, init)
    if (refused) return fetch(input, { ...init, body: plain })
    const response = await fetch(input, init)
    if (response.status !== 400 || !/reasoning.{0,20}summar/i.test(await response.clone().text()))
      return response
    refused = true
    return fetch(input, { ...init, body: plain })
  }
}

/** Undefined where none is asked for. */
function withoutSummary(body: string): string | undefined {
  const request = JSON.parse(body) as { reasoning?: { summary?: unknown } }
  if (request.reasoning?.summary === undefined) return undefined
  const { summary: _, ...reasoning } = request.reasoning
  return JSON.stringify({ ...request, reasoning })
}
