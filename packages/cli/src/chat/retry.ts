/** Says that a run waits to try the model again: why, when, and how often that is done. */
import { type EventBody, providerWords } from '@countersign/contract'

export type Retry = NonNullable<Extract<EventBody, { type: 'run.parked' }>['retry']>

/** What a person can do meanwhile, where a person sits at the keyboard. */
export const retryKeys = 'Ctrl-C stops it; write a message to retry now.'
export const plainRetryKeys = '/stop stops it; write a message to retry now.'

/** The moment is passed in, so that the same retry counts down. */
export function retryWords(retry: Retry | null, now: Date): string {
  if (retry === null) return `⏳ ${providerWords(null)}. It retries automatically.`
  const { at, attempt, of } = retry
  const left = new Date(at).getTime() - now.getTime()
  const when = left > 0 ? `Next try in ${clock(left)}` : 'Trying again now'
  return `⏳ ${reason(retry)} ${when} (${attempt} of ${of}).`
}

/** A try that another follows at once. */
export function failedTryWords(retry: Retry): string {
  const next = retry.use === undefined ? 'Trying again' : `Trying ${retry.use}`
  return `${reason(retry)} ${next} (${retry.attempt} of ${retry.of}).`
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

function reason(retry: Retry): string {
  const words = retry.because.trim() || providerWords(retry)
  return /[.!?]$/.test(words) ? words : `${words}.`
}
