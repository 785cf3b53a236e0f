/** Owns the words for numbers: times, lengths of time, money, sizes and counts. Pure. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `just now`, `4 min ago`, `in 28 min`, `22 h ago`; after a day the date, with the year if it is another. */
export function relativeWords(at: Date, now: Date): string {
  const gap = at.getTime() - now.getTime()
  const length = Math.abs(gap)
  if (Number.isNaN(length)) return 'unknown'
  if (length >= day) return dateWords(at, now)
  if (length < 45_000) return gap > 0 ? 'in less than a minute' : 'just now'
  const words = length < hour ? `${Math.round(length / minute)} min` : `${Math.round(length / hour)} h`
  return gap > 0 ? `in ${words}` : `${words} ago`
}

function dateWords(at: Date, now: Date): string {
  const sameYear = at.getFullYear() === now.getFullYear()
  return at.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  })
}

/** How long is left: `28 min`, `22 h`, `3 d`, `ends now`. */
export function leftWords(until: string, now: Date): string {
  const left = Date.parse(until) - now.getTime()
  if (left <= 0) return 'ended'
  if (left < minute) return 'ends now'
  if (left < 2 * hour) return `${Math.floor(left / minute)} min`
  if (left < 2 * day) return `${Math.floor(left / hour)} h`
  return `${Math.floor(left / day)} d`
}

/** `0.8 s`, `12 s`, `3:07`, `1:02:09`. */
export function lengthWords(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < minute) return `${Math.round(ms / 1000)} s`
  const seconds = Math.floor(ms / 1000)
  const two = (count: number) => String(count).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** Small amounts keep the figures that say something. */
export function moneyWords(usd: number): string {
  if (usd === 0) return '$0.00'
  if (usd < 0.001) return 'under $0.001'
  return `$${usd < 0.1 ? usd.toFixed(3).replace(/0$/, '') : usd.toFixed(2)}`
}

export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** 88412 as 88 412, with spaces that do not break. */
export function numberWords(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0')
}

/** `1 event`, `3 events`, `1 204 events`. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`
}
