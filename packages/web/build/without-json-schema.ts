/**
 * Leaves the writer of JSON Schemas out of the page. The shapes of the contract carry it on every schema, and a browser
 * only parses. Refuses loudly where it is called after all.
 */
import type { Plugin } from 'vite'

const left = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors|json-schema-generator)\.js$/

export function withoutJsonSchema(): Plugin {
  return {
    name: 'countersign:without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: left },
      handler: (code) => ({ code: refusals(code), map: null }),
    },
  }
}

/** The same exports, none of which does anything. */
export function refusals(code: string): string {
  const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map((match) => match[1])
  const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map((match) => match[1])
  return [
    "const refuse = () => { throw new Error('JSON Schemas are not written in the page.') }",
    ...[...names, ...renamed].map((name) => `export { refuse as ${name} }`),
  ].join('\n')
}
