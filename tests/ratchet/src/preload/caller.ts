/** Names the places of the product's own code that a call came from, the nearest first. */

/** Every statement passes through these, so they say nothing about where it came from. */
const everywhere = /^(?:engine\/src\/(?:pool|engine-client)|kernel\/src\/store\/store)\.ts/

/** Without line numbers, so that the name stays when a file grows. */
export function callerOf(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = limit
  const places = stack.matchAll(/at (?:(?:async )?([\w.<>]+) )?\(?file:\S*?\/packages\/(\S+?):\d+/g)
  return [...places]
    .map(([, name, file]) => `${file}${name === undefined ? '' : ` ${name}`}`)
    .filter((place) => !everywhere.test(place))
    .slice(0, 3)
    .join(' < ')
}
