/** Runs a piece of code as if it were another day and chance had fallen otherwise, to see whether it depends on them. */

const anotherDay = 400 * 24 * 60 * 60_000 + 12_345_678

/** The work must end before it returns: the clock is put back then. */
export function atAnotherTime<T>(work: () => T): T {
  const { Date: RealDate } = globalThis
  const { random } = Math
  const later = () => RealDate.now() + anotherDay
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(later()).toString(),
    construct: (target, args: unknown[], made) =>
      Reflect.construct(target, args.length === 0 ? [later()] : args, made) as object,
    get: (target, key) => (key === 'now' ? later : Reflect.get(target, key)),
  })
  Math.random = () => 0.123_456_789
  try {
    return work()
  } finally {
    globalThis.Date = RealDate
    Math.random = random
  }
}
