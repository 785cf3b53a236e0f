/**
 * Leaves out of a program that only asks what the server needs of the route table: the words of each route and the
 * shapes of requests. A client fills the path and parses the answer.
 */
import { type Plugin, parseAst } from 'vite'

const tables = /\/packages\/contract\/src\/routes\/\w+\.ts$/

export function withoutServerParts(): Plugin {
  return {
    name: 'countersign:without-server-parts',
    apply: 'build',
    transform: {
      filter: { id: tables },
      handler: (code) => ({ code: clientParts(code), map: null }),
    },
  }
}

/** The same tables, each row with method, path and reply only. */
export function clientParts(code: string): string {
  let left = code
  for (const [start, end, text] of cuts(code).toReversed())
    left = `${left.slice(0, start)}${text}${left.slice(end)}`
  return left
}

function cuts(code: string): [start: number, end: number, text: string][] {
  return rows(code).flatMap(([, , summary, reply, request]): [number, number, string][] => [
    ...(summary ? [[summary.start, summary.end, "''"] as [number, number, string]] : []),
    ...(reply && request ? [[reply.end, request.end, ''] as [number, number, string]] : []),
  ])
}

/** The arguments of every `define` that is a field of an exported table, in the order of the text. */
function rows(code: string) {
  return parseAst(code, { lang: 'ts' })
    .body.flatMap((each) => (each.type === 'ExportNamedDeclaration' ? [each.declaration] : []))
    .flatMap((each) => (each?.type === 'VariableDeclaration' ? each.declarations : []))
    .flatMap(({ init }) => (init?.type === 'ObjectExpression' ? init.properties : []))
    .flatMap((each) => (each.type === 'Property' ? [each.value] : []))
    .flatMap((each) => (each.type === 'CallExpression' ? [each] : []))
    .filter(({ callee }) => callee.type === 'Identifier' && callee.name === 'define')
    .map((call) => call.arguments)
}
