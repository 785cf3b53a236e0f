/** Writes the tree of a page as Markdown that is meant to be read. Pure. */

/** As much of a DOM as is needed. */
export interface PageNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string | null
  readonly childNodes: Iterable<PageNode>
  getAttribute?(name: string): string | null
}

export function markdownOf(root: PageNode): string {
  return blocksOf(root).join('\n\n')
}

const elementNode = 1
const textNode = 3

/** Runs of text become paragraphs; what is a block of its own stands between them. */
function blocksOf(node: PageNode): string[] {
  const blocks: string[] = []
  let run = ''
  const endRun = () => {
    const text = tidy(run)
    if (text !== '') blocks.push(text)
    run = ''
  }
  for (const child of node.childNodes) {
    const name = nameOf(child)
    if (child.nodeType === elementNode && isBlock(name)) {
      endRun()
      blocks.push(...blockOf(child, name).filter((block) => block !== ''))
    } else run += inlineOf(child)
  }
  endRun()
  return blocks
}

function blockOf(node: PageNode, name: string): string[] {
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level !== undefined) {
    const text = tidy(insideOf(node)).replaceAll('\n', ' ')
    return text === '' ? [] : [`${'#'.repeat(Number(level))} ${text}`]
  }
  switch (name) {
    case 'ul':
    case 'ol':
      return [listOf(node, name === 'ol')]
    case 'pre':
      return [`\`\`\`\n${(node.textContent ?? '').replace(/^\n+|\s+$/g, '')}\n\`\`\``]
    case 'blockquote':
      return [prefixed(markdownOf(node), '> ', '> ')]
    case 'table':
      return [tableOf(node)]
    case 'hr':
      return ['---']
    default:
      return blocksOf(node)
  }
}

function listOf(node: PageNode, isOrdered: boolean): string {
  const items: string[] = []
  for (const child of node.childNodes) {
    if (child.nodeType !== elementNode) continue
    const mark = isOrdered ? `${items.length + 1}. ` : '- '
    const text = blocksOf(child).join('\n')
    if (text !== '') items.push(prefixed(text, mark, ' '.repeat(mark.length)))
  }
  return items.join('\n')
}

function tableOf(node: PageNode): string {
  const rows = within(node, 'tr').map((row) =>
    [...row.childNodes]
      .filter((cell) => ['td', 'th'].includes(nameOf(cell)))
      .map((cell) => blocksOf(cell).join(' ').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')),
  )
  const [head, ...rest] = rows.filter((cells) => cells.length > 0)
  if (!head) return markdownOf({ ...bare, childNodes: node.childNodes })
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n')
}

const bare = { nodeType: elementNode, nodeName: 'DIV', textContent: null }

/** The rows of the table itself, not those of a table inside it. */
function within(node: PageNode, wanted: string): PageNode[] {
  return [...node.childNodes].flatMap((child) => {
    const name = nameOf(child)
    if (name === wanted) return [child]
    return ['thead', 'tbody', 'tfoot'].includes(name) ? within(child, wanted) : []
  })
}

function insideOf(node: PageNode): string {
  let text = ''
  for (const child of node.childNodes) text += inlineOf(child)
  return text
}

function inlineOf(node: PageNode): string {
  if (node.nodeType === textNode) return (node.textContent ?? '').replaceAll(/\s+/g, ' ')
  if (node.nodeType !== elementNode) return ''
  const name = nameOf(node)
  if (silent.has(name)) return ''
  if (name === 'br') return '\n'
  const inside = insideOf(node)
  const text = inside.trim()
  if (text === '') return inside
  switch (name) {
    case 'a': {
      const address = node.getAttribute?.('href') ?? ''
      return /^https?:/.test(address) ? around(inside, text, `[${text}](${address})`) : inside
    }
    case 'code':
    case 'kbd':
      return around(inside, text, `\`${text}\``)
    case 'strong':
    case 'b':
      return around(inside, text, `**${text}**`)
    case 'em':
    case 'i':
      return around(inside, text, `*${text}*`)
    default:
      return isBlock(name) ? `\n${text}\n` : inside
  }
}

/** Keeps the space at the ends outside the marks. */
function around(inside: string, text: string, marked: string): string {
  const at = inside.indexOf(text)
  return inside.slice(0, at) + marked + inside.slice(at + text.length)
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : others) + line)
    .join('\n')
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
}

const nameOf = ({ nodeName }: PageNode) => nodeName.toLowerCase()

const silent = new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'img', 'button', 'input'])

const blockNames = new Set(
  (
    'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html ' +
    'li main nav ol p pre section summary table ul'
  ).split(' '),
)

const isBlock = (name: string) => blockNames.has(name) || /^h[1-6]$/.test(name)
