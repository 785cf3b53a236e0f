import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** What a person reads or hears must be in a catalogue, so that a translation has it too. */
const source = join(import.meta.dirname, '..')

/** Attributes and fields that hold what is read. Others hold classes, paths, keys and kinds. */
const read = new Set(
  'aria-label title placeholder alt label hint sentence description caption note text detail problem heading aside words foot'.split(
    ' ',
  ),
)

interface Node {
  readonly type: string
  readonly start: number
  readonly [part: string]: unknown
}

test('finds text wherever it may stand', () => {
  const found = (code: string) => literalsIn('x.tsx', code).map(({ text }) => text)
  expect(found('<p>Hello</p>')).toEqual(['Hello'])
  expect(found("<p>{a ? 'Yes' : `No ${b}`}</p>")).toEqual(['Yes', 'No '])
  expect(found('<Button title="Go" className="flex row">{words.go}</Button>')).toEqual(['Go'])
  expect(found("notify({ text: 'Done.', tone: 'bad' })")).toEqual(['Done.'])
  expect(found("const said = () => 'Nothing is here.'")).toEqual(['Nothing is here.'])
  expect(found("throw new Error('Keys are used outside of their provider.')")).toEqual([])
  expect(found("<p className={a ? 'one two' : 'three'}>· {'—'}</p>")).toEqual([])
})

test('leaves no English text in the code of the app', () => {
  const found = sourceFiles().flatMap((path) =>
    literalsIn(path, readFileSync(join(source, path), 'utf8')).map(
      ({ line, text }) => `${path}:${line} ${text}`,
    ),
  )
  expect(found).toEqual([])
})

function sourceFiles(): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('words/'),
  )
}

function literalsIn(path: string, code: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = []
  const take = (node: Node, text: string) => {
    if (/\p{L}{2}/u.test(text) && !named.test(text.trim()))
      found.push({ line: code.slice(0, node.start).split('\n').length, text: text.trimStart() })
  }
  /** The strings that an expression may become. */
  const strings = (node: Node | null): void => {
    if (node === null) return
    switch (node.type) {
      case 'Literal':
        if (typeof node['value'] === 'string') take(node, node['value'])
        return
      case 'TemplateLiteral': {
        const parts = (node['quasis'] as readonly Node[]).map(
          (part) => [part, (part['value'] as { cooked: string }).cooked] as const,
        )
        // A command is the same in every language, with whatever is put into it.
        if (parts[0]?.[1].startsWith('countersign ') !== true)
          for (const [part, text] of parts) take(part, text)
        return
      }
      case 'ConditionalExpression':
        strings(node['consequent'] as Node)
        strings(node['alternate'] as Node)
        return
      case 'LogicalExpression':
      case 'BinaryExpression':
        if (node['operator'] !== '===' && node['operator'] !== '!==') {
          strings(node['left'] as Node)
          strings(node['right'] as Node)
        }
        return
      case 'JSXExpressionContainer':
      case 'TSAsExpression':
      case 'ParenthesizedExpression':
        strings(node['expression'] as Node)
    }
  }
  const visit = (node: Node): void => {
    if (isForDevelopers(node)) return
    if (node.type === 'Literal' && sentence.test(String(node['value']))) strings(node)
    if (node.type === 'TemplateLiteral' && sentence.test(firstOf(node))) strings(node)
    if (node.type === 'JSXText') take(node, String(node['value']))
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node['children'] as readonly Node[])
        if (child.type === 'JSXExpressionContainer') strings(child)
    if (node.type === 'JSXAttribute' && read.has(nameOf(node['name'] as Node)))
      strings(node['value'] as Node | null)
    if (node.type === 'Property' && read.has(nameOf(node['key'] as Node))) strings(node['value'] as Node)
    for (const part of Object.values(node)) {
      if (Array.isArray(part)) for (const each of part) if (isNode(each)) visit(each)
      if (isNode(part)) visit(part)
    }
  }
  visit(parseSync(path, code).program as unknown as Node)
  return found.filter(
    ({ line, text }, place) => found.findIndex((each) => each.line === line && each.text === text) === place,
  )
}

/** Two words that begin as a sentence does, wherever they stand. */
const sentence = /^\p{Lu}[\p{L}’]+ \p{L}/u

function firstOf(node: Node): string {
  const [first] = node['quasis'] as readonly Node[]
  return (first?.['value'] as { cooked: string } | undefined)?.cooked ?? ''
}

/** What is wrong with the code itself is said in English: an error that is a bug, and the console. */
function isForDevelopers({ type, callee }: Node): boolean {
  if (type === 'NewExpression') return (callee as Node)['name'] === 'Error'
  if (type !== 'CallExpression') return false
  const { object } = callee as Node
  return isNode(object) && object['name'] === 'console'
}

/** The name of the product, its commands, and units are the same in every language. */
const named = /^(\$? ?countersign\b.*|Countersign|kB|MB|ms|T\d?|JSON( Schema)?|Alt)$/i

function nameOf(node: Node): string {
  return String(node['name'] ?? node['value'])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
