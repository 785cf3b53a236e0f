/** Makes each formatter of a locale once: making one costs thirty times what using it does, and lists have hundreds. */
export type Formats = ReturnType<typeof createFormats>

export function createFormats(locale: string) {
  const made = new Map<string, unknown>()
  function once<T>(kind: string, options: object, make: () => T): T {
    const key = kind + JSON.stringify(options)
    const known = made.get(key) as T | undefined
    if (known !== undefined) return known
    const format = make()
    made.set(key, format)
    return format
  }
  return {
    number: (options: Intl.NumberFormatOptions = {}) =>
      once('number', options, () => new Intl.NumberFormat(locale, options)),
    date: (options: Intl.DateTimeFormatOptions) =>
      once('date', options, () => new Intl.DateTimeFormat(locale, options)),
    relative: () => once('relative', {}, () => new Intl.RelativeTimeFormat(locale, { style: 'short' })),
    plural: () => once('plural', {}, () => new Intl.PluralRules(locale)),
    list: () => once('list', {}, () => new Intl.ListFormat(locale, { type: 'conjunction' })),
  }
}
