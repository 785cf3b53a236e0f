/** Owns how days and times are written in the operator's records. Pure. Refuses a date that no calendar has. */

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** A date, a time of day wherever the operator is, or a moment that is the same everywhere. */
export interface Time {
  readonly kind: 'day' | 'local' | 'moment'
  /** Of one form for each kind, so that two of a kind compare as texts. */
  readonly text: string
}

export function timeOf(text: string): Time | undefined {
  if (isDay(text)) return { kind: 'day', text }
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/.exec(
    text,
  )
  const [, date = '', minutes = '', seconds = ':00', zone] = parts ?? []
  if (!isDay(date) || !/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(`${minutes}${seconds}`)) return undefined
  const local = `${date}T${minutes}${seconds}`
  if (zone === undefined) return { kind: 'local', text: local }
  const offset = zone === 'Z' ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2')
  const at = new Date(`${local}${offset}`)
  if (Number.isNaN(at.getTime())) return undefined
  return { kind: 'moment', text: at.toISOString().replace(/\.\d+Z$/, 'Z') }
}
