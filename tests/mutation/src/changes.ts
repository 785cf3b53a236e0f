/** Owns the faults: which replacements a node of the syntax tree allows. */

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly to: string
}

type Faults = (
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  source: string,
  words: readonly string[],
) => Change[]

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])

/** A call of one of these can be left out and what it was called on stands in its place. */
const droppedCalls = new Set(['filter', 'toSorted', 'toReversed', 'slice', 'trim'])

const faults: Readonly<Record<string, Faults>> = {
  IfStatement: (node) => conditionChanges(node['test'] as SyntaxNode),
  ConditionalExpression: (node) => conditionChanges(node['test'] as SyntaxNode),
  WhileStatement: ({ test }) => [replaced('condition', test as SyntaxNode, 'false')],
  LogicalExpression: logicalChanges,
  BinaryExpression: binaryChanges,
  UnaryExpression: (node, parent) =>
    node['operator'] === '!' && !isTest(node, parent)
      ? [{ kind: 'negation', start: node.start, end: (node['argument'] as SyntaxNode).start, to: '' }]
      : [],
  ExpressionStatement: (node) =>
    typeof node['directive'] !== 'string' ? [replaced('statement', node, ';')] : [],
  Literal: literalChanges,
  ArrayExpression: arrayChanges,
  CallExpression: callChanges,
  FunctionDeclaration: bodyChanges,
  FunctionExpression: bodyChanges,
  ArrowFunctionExpression: bodyChanges,
}

export function changesAt(...[node, parent, source, words]: Parameters<Faults>): Change[] {
  return faults[node.type]?.(node, parent, source, words) ?? []
}

/** The short lower-case strings of a file: members of unions, codes, names of columns. Sentences are not among them. */
export function unionWords(program: SyntaxNode): string[] {
  const words = new Set<string>()
  JSON.stringify(program, (_key, value: unknown) => {
    if (isWord(value)) words.add(value['value'] as string)
    return typeof value === 'bigint' ? String(value) : value
  })
  return [...words].toSorted()
}

function isWord(value: unknown): value is SyntaxNode {
  const node = value as SyntaxNode | null
  return (
    typeof node === 'object' &&
    node?.type === 'Literal' &&
    typeof node['value'] === 'string' &&
    /^[a-z][\w.-]*$/.test(node['value'])
  )
}

function replaced(kind: string, { start, end }: SyntaxNode, to: string): Change {
  return { kind, start, end, to }
}

function conditionChanges(test: SyntaxNode): Change[] {
  return [replaced('condition', test, 'true'), replaced('condition', test, 'false')]
}

/** The whole of a condition is replaced by `true` and `false`; its opposite would be a third mutant of the same fault. */
function isTest(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  return parent?.['test'] === node
}

function logicalChanges(node: SyntaxNode, _parent: SyntaxNode | undefined, source: string): Change[] {
  const left = node['left'] as SyntaxNode
  const right = node['right'] as SyntaxNode
  if (node['operator'] === '??') return [{ kind: 'default', start: left.end, end: node.end, to: '' }]
  const text = `${source.slice(left.start, left.end)} ${node['operator'] === '&&' ? '||' : '&&'} ${source.slice(right.start, right.end)}`
  return [replaced('logic', node, `(${text})`)]
}

function binaryChanges(node: SyntaxNode, parent: SyntaxNode | undefined, source: string): Change[] {
  const to = operators[node['operator'] as string]
  const left = node['left'] as SyntaxNode
  const right = node['right'] as SyntaxNode
  const texts = [left, right].some(
    (side) =>
      side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side['value'] === 'string'),
  )
  if (to === undefined || (texts && !to.endsWith('==')) || (to.endsWith('==') && isTest(node, parent)))
    return []
  const at = left.end + source.slice(left.end, right.start).indexOf(node['operator'] as string)
  return [{ kind: 'operator', start: at, end: at + String(node['operator']).length, to }]
}

function literalChanges(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  _source: string,
  words: readonly string[],
): Change[] {
  const { value } = node
  if (parent?.type === 'Property' && parent['key'] === node) return []
  if (typeof value === 'boolean') return [replaced('literal', node, String(!value))]
  if (typeof value === 'number') return [replaced('literal', node, String(value + 1))]
  if (!isWord(node) || words.length < 2) return []
  const next = words[(words.indexOf(value as string) + 1) % words.length] ?? ''
  return [replaced('word', node, `'${next}'`)]
}

function arrayChanges(node: SyntaxNode): Change[] {
  const elements = (node['elements'] as (SyntaxNode | null)[]).filter((one) => one !== null)
  return elements.map((one, index) => {
    const next = elements[index + 1]
    const before = elements[index - 1]
    const start = next || !before ? one.start : before.end
    return { kind: 'element', start, end: next ? next.start : one.end, to: '' }
  })
}

function callChanges(node: SyntaxNode): Change[] {
  const callee = node['callee'] as SyntaxNode
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return []
  const property = callee['property'] as SyntaxNode
  const name = String(property['name'])
  const other = methods.get(name)
  if (other !== undefined) return [replaced('method', property, other)]
  if (!droppedCalls.has(name)) return []
  return [{ kind: 'method', start: (callee['object'] as SyntaxNode).end, end: node.end, to: '' }]
}

function bodyChanges(node: SyntaxNode): Change[] {
  const body = node['body'] as SyntaxNode | null
  if (!body) return []
  if (body.type !== 'BlockStatement') return [replaced('body', body, 'undefined as never')]
  return (body['body'] as unknown[]).length > 0 ? [replaced('body', body, '{}')] : []
}
