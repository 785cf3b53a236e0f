/** Makes mutants of a source text: the same text with one small fault. Pure: the same text gives the same mutants. */
import { parseSync } from 'vite'
import { cedarChanges } from './cedar-changes.ts'
import { type Change, changesAt, type SyntaxNode, unionWords } from './changes.ts'

export interface Mutant {
  /** From the root of the repository. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** The source line without its indentation, by which a judged mutant is found again after lines moved. */
  readonly text: string
  readonly kind: string
  readonly from: string
  readonly to: string
  /** The whole text of the file with the fault in it. */
  readonly source: string
}

export function mutantsOf(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message ?? ''}`)
  const words = unionWords(program as unknown as SyntaxNode)
  const changes: Change[] = []
  walk(program as unknown as SyntaxNode, undefined, (node, parent) =>
    changes.push(...changesAt(node, parent, text, words)),
  )
  if (file.includes('/bundled/')) changes.push(...cedarChanges(text))
  return changes
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map((change) => mutantFrom(file, text, change))
}

function mutantFrom(file: string, text: string, { kind, start, end, to }: Change): Mutant {
  const before = text.slice(0, start)
  const lineStart = before.lastIndexOf('\n') + 1
  const lineEnd = text.indexOf('\n', start)
  return {
    file,
    line: before.split('\n').length,
    text: text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).trim(),
    kind,
    from: text.slice(start, end),
    to,
    source: `${before}${to}${text.slice(end)}`,
  }
}

/** Types hold nothing that runs; of a cast only the expression does. */
const casts = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const declarations = new Set(['ImportDeclaration', 'ExportAllDeclaration'])

function walk(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
): void {
  if (declarations.has(node.type) || (node.type.startsWith('TS') && !casts.has(node.type))) return
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, node, visit)
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
}
