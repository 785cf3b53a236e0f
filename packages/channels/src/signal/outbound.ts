/** Owns how a message goes out to Signal, and what is known of it by signal-cli's answer. */
import { z } from 'zod'
import { cleanText, cutText } from '../frame/clean-text.ts'
import type { OutboundFile, OutboundMessage, SendResult } from '../frame/protocol.ts'
import type { CallOutcome } from './json-rpc.ts'
import { styledText } from './styled-text.ts'

const person = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** An old group has 16 bytes, a new one 32. */
const group = /^([A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{43}=)$/

/** How signal-cli calls a chat; undefined where it is none. */
export function recipientOf(chat: string): Readonly<Record<string, unknown>> | undefined {
  if (person.test(chat)) return { recipient: [chat] }
  return group.test(chat) ? { groupId: chat } : undefined
}

/** The parameters of `send` besides the chat. */
export function contentOf({ text, format, file }: OutboundMessage): Readonly<Record<string, unknown>> {
  const styled = format === 'markdown' ? styledText(text) : { text: cleanText(text), styles: [] }
  return {
    message: styled.text,
    ...(styled.styles.length === 0 ? {} : { textStyle: styled.styles }),
    ...(file ? { attachments: [dataAddress(file)] } : {}),
  }
}

/** As RFC 2397 has it, with signal-cli's name of the file. */
function dataAddress({ name, mediaType, bytes }: OutboundFile): string {
  const type = /^[a-z]+\/[a-z0-9.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'
  const safeName =
    cutText(
      cleanText(name)
        .replaceAll(/[\s;,/\\]+/g, ' ')
        .trim(),
      150,
    ) || 'file'
  return `data:${type};filename=${encodeURIComponent(safeName)};base64,${Buffer.from(bytes).toString('base64')}`
}

const Result = z.object({
  type: z.string(),
  retryAfterSeconds: z.number().nullish(),
})
type Result = z.infer<typeof Result>
const Sent = z.object({ timestamp: z.int().min(1), results: z.array(Result).nullish() })
const Failed = z.object({ response: z.object({ results: z.array(Result) }) })

const userError = -1
const untrustedKey = -4
const rateLimit = -5
const invalidParams = -32_602

/** What became of it; `own` is whom the id of our message names. */
export function sendResultOf(outcome: CallOutcome, idOf: (timestamp: number) => string): SendResult {
  switch (outcome.kind) {
    case 'not-sent':
      return { kind: 'later', afterMs: null, problem: outcome.problem.slice(0, 1_000) }
    case 'lost':
      return { kind: 'unknown', problem: outcome.problem.slice(0, 1_000) }
    case 'answered': {
      const sent = Sent.safeParse(outcome.result)
      if (!sent.success) return { kind: 'unknown', problem: 'signal-cli did not say when it was sent.' }
      const { results, timestamp } = sent.data
      const isSent = !results || results.length === 0 || results.some(({ type }) => type === 'SUCCESS')
      return isSent ? { kind: 'sent', message: idOf(timestamp) } : refusalOf(results, '')
    }
    case 'failed':
      return failureOf(outcome)
  }
}

function failureOf({ code, message, data }: Extract<CallOutcome, { kind: 'failed' }>): SendResult {
  const failed = Failed.safeParse(data)
  const results = failed.success ? failed.data.response.results : []
  if (results.some(({ type }) => type === 'SUCCESS'))
    return { kind: 'unknown', problem: problemOf(message, results) }
  if (results.length > 0) return refusalOf(results, message)
  const problem = problemOf(message, results)
  if (code === rateLimit) return { kind: 'later', afterMs: null, problem }
  if ([userError, untrustedKey, invalidParams].includes(code)) return { kind: 'refused', problem }
  // Signal may have had it when the line broke.
  return { kind: 'unknown', problem }
}

/** Nobody got it. */
function refusalOf(results: readonly Result[], message: string): SendResult {
  const problem = problemOf(message, results)
  const types = new Set(results.map(({ type }) => type))
  if (types.has('RATE_LIMIT_FAILURE')) {
    const seconds = Math.max(...results.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0))
    return { kind: 'later', afterMs: seconds > 0 ? Math.min(seconds, 86_400) * 1_000 : null, problem }
  }
  // The line to Signal broke; it does not say whether before or after.
  if (types.has('NETWORK_FAILURE')) return { kind: 'unknown', problem }
  return { kind: 'refused', problem }
}

function problemOf(message: string, results: readonly Result[]): string {
  const types = [...new Set(results.map(({ type }) => type))].join(', ')
  return `Signal did not take it: ${message} ${types}`.trim().slice(0, 1_000)
}
