/** Names the places of the product's own code that a call came from, the nearest first. */

/** Without line numbers, so that the name stays when a file grows. */
export function callerOf(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 20
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = limit
  const places = stack.matchAll(/at (?:(?:async )?([\w.<>]+) )?\(?file:\S*?\/packages\/(\S+?):\d+/g)
  return [...places]
    .slice(0, 3)
    .map(([, name, file]) => `${file}${name === undefined ? '' : ` ${name}`}`)
    .join(' < ')
}
