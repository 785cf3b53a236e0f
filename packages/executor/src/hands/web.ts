/** Owns the hands on the network: the one place that the permit names. */
import type { ApprovalSubject } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import type { Egress } from '../egress/egress.ts'
import { describeTarget } from '../egress/target.ts'
import { failed } from './failed.ts'

export interface WebParts {
  readonly egress: Egress
}

/** The text that a tool gives is cut long before this; the client refuses what is larger. */
const largestAnswer = 4 * 1024 * 1024

export function webHands(subject: ApprovalSubject, { egress }: WebParts): Hands['web'] {
  return {
    async request({ url, method, headers, body, maxBytes, timeoutMs, signal }) {
      const target = describeTarget(url)
      const bound = subject.resources.some(
        (resource) =>
          resource.type === 'url' &&
          target.kind === 'target' &&
          resource.scheme === target.scheme &&
          resource.host === target.asciiHost &&
          resource.port === target.port &&
          resource.method === method,
      )
      if (!bound) return failed('The permit names another address.')
      const result = await egress.request(
        {
          method,
          url,
          headers,
          body: body === '' ? null : body,
          maxBytes: largestAnswer,
          timeoutMs,
          maxRedirects: 0,
        },
        signal,
      )
      switch (result.kind) {
        case 'response': {
          const answer = Object.entries(result.headers).map(
            ([name, value]) => [name, [value].flat().join(', ')] as const,
          )
          const bytes = result.body.subarray(0, maxBytes)
          const truncated = bytes.length < result.body.length
          return { kind: 'response', url, status: result.status, headers: answer, body: bytes, truncated }
        }
        case 'refused':
          return failed(
            `Refused, nothing was sent: ${[result.reason, result.detail].filter(Boolean).join(', ')}.`,
          )
        case 'failed':
          return failed(`${result.message} ${sentText(result.sent)}`)
        default:
          return failed(
            `${result.kind === 'timeout' ? 'No answer in time.' : 'Cancelled.'} ${sentText(result.sent)}`,
          )
      }
    },
  }
}

function sentText(sent: boolean): string {
  return sent ? 'The other side may have received the request.' : 'Nothing was sent.'
}
