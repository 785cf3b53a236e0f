/** Owns reckoning with dates, all in UTC. Runs inside the machine as source text. */
export function dates(): object {
  const lengths: Record<string, number> = {
    millisecond: 1,
    second: 1000,
    minute: 60_000,
    hour: 3_600_000,
    day: 86_400_000,
    week: 604_800_000,
  }
  const months: Record<string, number> = { month: 1, year: 12 }
  const momentOf = (date: unknown) => {
    const moment = date instanceof Date ? new Date(date) : new Date(date as string | number)
    if (Number.isNaN(moment.getTime())) throw new RangeError(`${String(date)} is not a date.`)
    return moment
  }
  const unitOf = (unit: unknown) => {
    const name = String(unit).toLowerCase().replace(/s$/, '')
    const known = name === 'm' ? 'millisecond' : name
    if (lengths[known] === undefined && months[known] === undefined)
      throw new RangeError(
        `There is no unit ${String(unit)}; use seconds, minutes, hours, days, weeks, months or years.`,
      )
    return known
  }
  const monthsLater = (from: Date, count: number) => {
    const later = new Date(from)
    later.setUTCDate(1)
    later.setUTCMonth(later.getUTCMonth() + count)
    const last = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
    later.setUTCDate(Math.min(from.getUTCDate(), last))
    return later
  }
  return {
    now: () => new Date().toISOString(),
    timestamp: () => Date.now(),
    dateDiff(first: unknown, second: unknown, unit: unknown = 'days') {
      const [from, to] = [momentOf(first), momentOf(second)]
      const name = unitOf(unit)
      const length = lengths[name]
      if (length !== undefined) return Math.trunc((to.getTime() - from.getTime()) / length)
      const apart = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
      const isShort = apart > 0 ? monthsLater(from, apart) > to : apart < 0 && monthsLater(from, apart) < to
      return Math.trunc((apart - (isShort ? Math.sign(apart) : 0)) / (months[name] ?? 1))
    },
    dateAdd(date: unknown, amount: unknown, unit: unknown = 'days') {
      const name = unitOf(unit)
      const from = momentOf(date)
      const length = lengths[name]
      const later =
        length === undefined
          ? monthsLater(from, Math.trunc(Number(amount)) * (months[name] ?? 1))
          : new Date(from.getTime() + Number(amount) * length)
      return momentOf(later).toISOString()
    },
    formatDate(date: unknown, locale: unknown = 'iso') {
      const [year = '', month = '', day = ''] = momentOf(date).toISOString().slice(0, 10).split('-')
      const language = String(locale).toLowerCase()
      if (language === 'en-us' || language === 'en') return `${month}/${day}/${year}`
      if (/^(de|tr|ru|pl|cs|no|nb|fi|da|ro)\b/.test(language)) return `${day}.${month}.${year}`
      if (/^(en|fr|es|it|pt|el)\b/.test(language)) return `${day}/${month}/${year}`
      if (/^nl\b/.test(language)) return `${day}-${month}-${year}`
      return `${year}-${month}-${day}`
    },
  }
}
