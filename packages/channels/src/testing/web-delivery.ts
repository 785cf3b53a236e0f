/** Owns how a platform that sends to the gateway reaches it over the web. One that nobody hears answers 503, so that it tries again. */
import type { WebAnswer, WebRequest } from '../frame/protocol.ts'

/** To the channel of this name, wherever its gateway is now. */
export function webDelivery(gateway: () => string, channel: string) {
  return async ({ method, query, headers, body }: WebRequest): Promise<WebAnswer> => {
    const sent = method === 'POST' ? { body: Buffer.from(body) } : {}
    try {
      const answer = await fetch(`${gateway()}/hooks/channels/${channel}?${query}`, {
        method,
        headers,
        ...sent,
      })
      const mediaType = answer.headers.get('content-type') ?? 'text/plain'
      return { status: answer.status, mediaType, text: await answer.text() }
    } catch {
      return { status: 503, mediaType: 'text/plain', text: 'Nobody is there.' }
    }
  }
}
