/** Says times the way a person reads them: relative up to a day, exact beyond, in the operator's time zone. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export interface Moment {
  readonly now: Date
  readonly zone: string | undefined
}

/** The time of day, with the day when it is another one: by its name where it is the next or the last. */
export function clockTime(iso: string, moment: Moment): string {
  const at = new Date(iso)
  const time = timeOf(at, moment.zone)
  const date = dateOf(at, moment.zone)
  const dayAt = (ms: number) => dateOf(new Date(moment.now.getTime() + ms), moment.zone)
  if (date === dayAt(0)) return time
  const name = date === dayAt(-day) ? 'yesterday' : date === dayAt(day) ? 'tomorrow' : date
  return `${name} ${time}`
}

export function ago(iso: string, moment: Moment): string {
  const past = moment.now.getTime() - new Date(iso).getTime()
  if (past < minute) return 'just now'
  if (past < day) return `${span(past)} ago`
  return clockTime(iso, moment)
}

/** How long until then, or that it is over. */
export function until(iso: string, moment: Moment): string {
  const left = new Date(iso).getTime() - moment.now.getTime()
  if (left <= 0) return 'over'
  return left < minute ? `${Math.ceil(left / 1_000)} s` : span(left)
}

function span(ms: number): string {
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`
  return `${Math.floor(ms / day)} d ${Math.floor((ms % day) / hour)} h`
}

/** In the zone of this machine the date itself can say it; loading the tables of all zones takes longer than most commands. */
function isOwnZone(at: Date, zone: string | undefined): boolean {
  return zone === undefined && !Number.isNaN(at.getTime())
}

const two = (number: number): string => String(number).padStart(2, '0')

function timeOf(at: Date, zone: string | undefined): string {
  if (isOwnZone(at, zone)) return `${two(at.getHours())}:${two(at.getMinutes())}`
  return at.toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
}

function dateOf(at: Date, zone: string | undefined): string {
  if (isOwnZone(at, zone)) return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return at.toLocaleDateString('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
}
