/**
 * Owns what a selector finds in a snapshot, and the text and HTML of it. The live page is never asked. It runs in a
 * thread that can be ended, because a selector and a page can be chosen so that the search takes for ever.
 */
import { selectAll } from 'css-select'
import { z } from 'zod'

export interface SelectionJob {
  /** The elements of the page as the snapshot keeps them. */
  readonly tree: string
  readonly what: 'text' | 'html'
  readonly selector: string
  readonly mostCharacters: number
}

export type Selection =
  | { readonly kind: 'found'; readonly count: number; readonly text: string; readonly truncated: boolean }
  | { readonly kind: 'invalid'; readonly reason: string }

export function select({ tree, what, selector, mostCharacters }: SelectionJob): Selection {
  const root = readTree(tree)
  if (root === undefined) return { kind: 'found', count: 0, text: '', truncated: false }
  let found: TreeElement[]
  try {
    found = selectAll<TreeNode, TreeElement>(selector, [root], { adapter })
  } catch (error) {
    return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) }
  }
  let text = ''
  for (const [index, element] of found.entries()) {
    if (text.length > mostCharacters) break
    if (index > 0) text += '\n'
    text += what === 'text' ? textOf(element) : htmlOf(element)
  }
  const truncated = text.length > mostCharacters
  return { kind: 'found', count: found.length, text: text.slice(0, mostCharacters), truncated }
}

interface TreeText {
  readonly type: 'text' | 'comment'
  readonly parent: TreeElement | null
  readonly data: string
}

interface TreeElement {
  readonly type: 'element'
  readonly parent: TreeElement | null
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly display: number
  /** What stands in a field. */
  readonly value: string | null
  readonly children: TreeNode[]
}

type TreeNode = TreeText | TreeElement

/** How an element takes part in the text, as bits. */
const display = { block: 1, none: 2, invisible: 4, pre: 8, cell: 16 } as const

const Rows = z.array(
  z.union([
    z.tuple([z.int(), z.literal(1), z.string(), z.array(z.string()), z.int(), z.string().nullable()]),
    z.tuple([z.int(), z.literal([3, 8]), z.string()]),
  ]),
)

function readTree(tree: string): TreeElement | undefined {
  const nodes: TreeNode[] = []
  for (const row of Rows.parse(JSON.parse(tree))) {
    const above = nodes[row[0]]
    const parent = above?.type === 'element' ? above : null
    if (parent === null && nodes.length > 0) continue
    const node: TreeNode =
      row[1] === 1
        ? {
            type: 'element',
            parent,
            name: row[2],
            attributes: pairsOf(row[3]),
            display: row[4],
            value: row[5],
            children: [],
          }
        : { type: row[1] === 3 ? 'text' : 'comment', parent, data: row[2] }
    parent?.children.push(node)
    nodes.push(node)
  }
  const [root] = nodes
  return root?.type === 'element' ? root : undefined
}

function pairsOf(flat: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>()
  for (let index = 0; index + 1 < flat.length; index += 2) pairs.set(flat[index] ?? '', flat[index + 1] ?? '')
  return pairs
}

const isElement = (node: TreeNode): node is TreeElement => node.type === 'element'

const adapter = {
  isTag: isElement,
  getAttributeValue: ({ attributes }: TreeElement, name: string) => attributes.get(name),
  hasAttrib: ({ attributes }: TreeElement, name: string) => attributes.has(name),
  getChildren: (node: TreeNode) => (isElement(node) ? node.children : []),
  getName: ({ name }: TreeElement) => name.toLowerCase(),
  getParent: ({ parent }: TreeNode) => parent,
  getSiblings: (node: TreeNode) => node.parent?.children ?? [node],
  getText: rawText,
  removeSubsets: (nodes: TreeNode[]) => nodes,
}

function rawText(node: TreeNode): string {
  if (isElement(node)) return node.children.map(rawText).join('')
  return node.type === 'text' ? node.data : ''
}

/** As a reader sees it: what is not shown is left out, and blocks stand on lines of their own. */
function textOf(element: TreeElement): string {
  if (element.value !== null) return element.value
  // What is not shown at all has no lines; its words are all there is.
  if ((element.display & display.none) !== 0) return rawText(element)
  let text = ''
  let breaks = 0
  const lineEnd = () => text.replace(/ +$/, '')
  const write = (data: string, isPre: boolean) => {
    let words = isPre ? data : data.replace(/[ \t\n\r\f]+/g, ' ')
    const isAtStart = text === '' || breaks > 0 || /\s$/.test(text)
    if (!isPre && isAtStart) words = words.replace(/^ /, '')
    if (words === '') return
    if (breaks > 0 && text !== '') text = lineEnd() + '\n'.repeat(breaks)
    breaks = 0
    text += words
  }
  const visit = (node: TreeElement) => {
    if ((node.display & display.none) !== 0) return
    const lineBreaks = node.name === 'p' ? 2 : (node.display & display.block) !== 0 ? 1 : 0
    breaks = Math.max(breaks, lineBreaks)
    if (node.name === 'br') text = `${lineEnd()}\n`
    const isFirstCell = node.parent?.children.find(isElement) === node
    if ((node.display & display.cell) !== 0 && !isFirstCell && node !== element) text = `${lineEnd()}\t`
    for (const child of node.children) {
      if (isElement(child)) visit(child)
      else if (child.type === 'text' && (node.display & display.invisible) === 0)
        write(child.data, (node.display & display.pre) !== 0)
    }
    breaks = Math.max(breaks, lineBreaks)
  }
  visit(element)
  return lineEnd()
}

function htmlOf(node: TreeNode): string {
  if (!isElement(node)) {
    if (node.type === 'comment') return `<!--${node.data}-->`
    return rawElements.has(node.parent?.name ?? '') ? node.data : escaped(node.data)
  }
  const attributes = [...node.attributes]
    .map(([name, value]) => ` ${name}="${escaped(value, true)}"`)
    .join('')
  const start = `<${node.name}${attributes}>`
  return voidElements.has(node.name) ? start : `${start}${node.children.map(htmlOf).join('')}</${node.name}>`
}

function escaped(text: string, isAttribute = false): string {
  const all = text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;')
  return isAttribute ? all.replaceAll('"', '&quot;') : all.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const rawElements = new Set([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
])
const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
