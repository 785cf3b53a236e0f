/** The program that makes PDF documents from plain text or Markdown. Refuses characters that no font here can draw. */
import { existsSync, readFileSync } from 'node:fs'
import fontkit from '@cantoo/fontkit'
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { type Block, blocksOf, type Span, spansOf } from './markdown.ts'
import { type Made, Refusal, serve } from './serve.ts'

interface Request {
  readonly op: 'make'
  readonly content: string
  readonly format: 'text' | 'markdown'
  readonly title: string | null
  readonly author: string | null
  readonly pageSize: keyof typeof pageSizes
}

const pageSizes = { A4: [595.28, 841.89], Letter: [612, 792], Legal: [612, 1008] } as const
const margin = 64
const bodySize = 11
const mostPages = 1_000
const headingSizes = [20, 16, 13.5, 12, 11, 11]

async function make(request: Request): Promise<Made> {
  const document = await PDFDocument.create()
  const content = request.content.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\t', '    ')
  const fonts = await fontsFor(document, content)
  if (request.title !== null) document.setTitle(request.title)
  if (request.author !== null) document.setAuthor(request.author)
  document.setCreator('Countersign')
  const pen = penOn(document, fonts, pageSizes[request.pageSize])
  if (request.format === 'text') for (const line of content.split('\n')) pen.write(plainSpans(line), {})
  else for (const block of blocksOf(content)) writeBlock(pen, block)
  return { facts: { pages: document.getPageCount() }, files: [await document.save()] }
}

interface Fonts {
  readonly regular: PDFFont
  readonly bold: PDFFont
  readonly italic: PDFFont
  readonly both: PDFFont
  readonly code: PDFFont
}

/** The fonts that every reader has know Western languages; for all others one of the system is put into the file. */
async function fontsFor(document: PDFDocument, content: string): Promise<Fonts> {
  const standard = await embedded(document, {
    regular: StandardFonts.Helvetica,
    bold: StandardFonts.HelveticaBold,
    italic: StandardFonts.HelveticaOblique,
    both: StandardFonts.HelveticaBoldOblique,
    code: StandardFonts.Courier,
  })
  const missing = missingIn(standard.regular, content)
  if (missing.length === 0) return standard
  const folder = fontFolders.find((each) => existsSync(`${each}/DejaVuSans.ttf`))
  if (folder === undefined)
    throw new Refusal(`No font here has ${missing.join(' ')}. Install one: apt-get install fonts-dejavu.`)
  document.registerFontkit(fontkit)
  const file = (name: string): Uint8Array => readFileSync(fontFile(folder, name))
  const system = await embedded(document, {
    regular: file('DejaVuSans'),
    bold: file('DejaVuSans-Bold'),
    italic: file('DejaVuSans-Oblique'),
    both: file('DejaVuSans-BoldOblique'),
    code: file('DejaVuSansMono'),
  })
  const still = missingIn(system.regular, content)
  if (still.length > 0) throw new Refusal(`No font here has ${still.join(' ')}. Leave these characters out.`)
  return system
}

const fontFolders = [
  '/usr/share/fonts/truetype/dejavu',
  '/usr/share/fonts/TTF',
  '/usr/share/fonts/dejavu-sans-fonts',
]

/** The slanted ones are in a package of their own. */
function fontFile(folder: string, name: string): string {
  const wanted = `${folder}/${name}.ttf`
  if (existsSync(wanted)) return wanted
  return `${folder}/${name.includes('Bold') ? 'DejaVuSans-Bold' : 'DejaVuSans'}.ttf`
}

async function embedded(
  document: PDFDocument,
  sources: Readonly<Record<keyof Fonts, string | Uint8Array>>,
): Promise<Fonts> {
  const embed = (source: string | Uint8Array): Promise<PDFFont> =>
    document.embedFont(source, typeof source === 'string' ? {} : { subset: true })
  const { regular, bold, italic, both, code } = sources
  return {
    regular: await embed(regular),
    bold: await embed(bold),
    italic: await embed(italic),
    both: await embed(both),
    code: await embed(code),
  }
}

function missingIn(font: PDFFont, text: string): string[] {
  const known = new Set(font.getCharacterSet())
  const characters = new Set(`${text}•`.replaceAll('\n', ''))
  return [...characters].filter((each) => !known.has(each.codePointAt(0) ?? 0)).slice(0, 10)
}

interface Style {
  readonly size?: number
  readonly indent?: number
  readonly marker?: string
  readonly before?: number
  readonly after?: number
  readonly grey?: boolean
}

interface Pen {
  write(spans: readonly Span[], style: Style): void
  row(cells: readonly string[], isFirst: boolean): void
  rule(): void
}

function writeBlock(pen: Pen, block: Block): void {
  switch (block.kind) {
    case 'heading': {
      const size = headingSizes[block.level - 1] ?? bodySize
      pen.write(spansOf(block.text, { bold: true, italic: false }), { size, before: size * 0.6, after: 4 })
      return
    }
    case 'paragraph':
      pen.write(spansOf(block.text), { after: 6 })
      return
    case 'quote':
      pen.write(spansOf(block.text, { bold: false, italic: true }), { indent: 18, after: 6, grey: true })
      return
    case 'item':
      pen.write(spansOf(block.text), { indent: 18 * (block.depth + 1), marker: block.marker, after: 2 })
      return
    case 'code':
      for (const line of block.lines)
        pen.write([{ text: line, ...plain, code: true }], { indent: 12, size: 9.5 })
      pen.write([], { size: 4 })
      return
    case 'rule':
      pen.rule()
      return
    case 'table':
      for (const [index, row] of block.rows.entries()) pen.row(row, index === 0)
      pen.write([], { size: 6 })
  }
}

const plain = { bold: false, italic: false, code: false }

function plainSpans(line: string): Span[] {
  return line === '' ? [] : [{ text: line, ...plain }]
}

interface Word {
  readonly text: string
  readonly font: PDFFont
  readonly width: number
}

/** Where the next line goes; a page is added when there is no room for it. */
interface Paper {
  readonly y: number
  /** Moves down by the height of a line, and gives the page on which that line is. */
  line(height: number): PDFPage
  space(height: number): void
}

function paperOf(document: PDFDocument, [width, height]: readonly [number, number]): Paper {
  let page: PDFPage | undefined
  let y = 0
  return {
    get y() {
      return y
    },
    line(high) {
      if (page === undefined || y - high < margin) {
        if (document.getPageCount() >= mostPages)
          throw new Refusal(`It would have more than ${mostPages} pages. Make several documents of it.`)
        page = document.addPage([width, height])
        y = height - margin
      }
      y -= high
      return page
    },
    space(high) {
      if (page !== undefined) y -= high
    },
  }
}

function penOn(document: PDFDocument, fonts: Fonts, size: readonly [number, number]): Pen {
  const width = size[0] - 2 * margin
  const paper = paperOf(document, size)
  const lines = (spans: readonly Span[], letters: number, wide: number) =>
    linesOf(spans, (span) => fontOf(fonts, span), letters, wide)
  return {
    write(spans, { size: letters = bodySize, indent = 0, marker, before = 0, after = 0, grey = false }) {
      paper.space(before)
      for (const [index, line] of lines(spans, letters, width - indent).entries()) {
        const page = paper.line(letters * 1.4)
        const { y } = paper
        if (index === 0 && marker !== undefined)
          page.drawText(marker, { x: margin + indent - 14, y, size: letters, font: fonts.regular })
        draw(line, { page, x: margin + indent, y, size: letters, grey })
      }
      paper.space(after)
    },
    row(cells, isFirst) {
      const letters = 9.5
      const column = width / Math.max(cells.length, 1)
      const texts = cells.map((cell) =>
        lines(spansOf(cell, { bold: isFirst, italic: false }), letters, column - 6),
      )
      const rows = Math.max(...texts.map((text) => text.length), 1)
      let page: PDFPage | undefined
      for (let row = 0; row < rows; row += 1) {
        page = paper.line(letters * 1.4)
        for (const [index, text] of texts.entries())
          draw(text[row] ?? [], { page, x: margin + index * column, y: paper.y, size: letters, grey: false })
      }
      if (page) stroke(page, paper.y - 3, width)
      paper.space(4)
    },
    rule() {
      stroke(paper.line(12), paper.y + 4, width)
    },
  }
}

function fontOf(fonts: Fonts, { bold, italic, code }: Span): PDFFont {
  if (code) return fonts.code
  if (bold) return italic ? fonts.both : fonts.bold
  return italic ? fonts.italic : fonts.regular
}

function draw(
  words: readonly Word[],
  at: { page: PDFPage; x: number; y: number; size: number; grey: boolean },
): void {
  const { page, y, size } = at
  const color = at.grey ? rgb(0.35, 0.35, 0.35) : rgb(0, 0, 0)
  let { x } = at
  for (const { text, font, width } of words) {
    if (text.trim() !== '') page.drawText(text, { x, y, size, font, color })
    x += width
  }
}

function stroke(page: PDFPage, y: number, width: number): void {
  const end = { x: margin + width, y }
  page.drawLine({ start: { x: margin, y }, end, thickness: 0.5, color: rgb(0.65, 0.65, 0.65) })
}

/** At least one line. A word that is wider than the page is cut. */
function linesOf(
  spans: readonly Span[],
  fontOf: (span: Span) => PDFFont,
  size: number,
  width: number,
): Word[][] {
  const lines: Word[][] = [[]]
  let used = 0
  const put = (text: string, font: PDFFont): void => {
    const wide = font.widthOfTextAtSize(text, size)
    if (used + wide > width && used > 0) {
      lines.push([])
      used = 0
      if (text.trim() === '') return
    }
    if (wide > width && text.length > 1) {
      const half = Array.from(text)
      const middle = Math.floor(half.length / 2)
      put(half.slice(0, middle).join(''), font)
      put(half.slice(middle).join(''), font)
      return
    }
    lines.at(-1)?.push({ text, font, width: wide })
    used += wide
  }
  for (const span of spans)
    for (const part of span.text.split(/(\s+)/)) if (part !== '') put(part, fontOf(span))
  return lines
}

await serve<Request>(make)
