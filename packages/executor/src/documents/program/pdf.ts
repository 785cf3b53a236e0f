/** The program for PDF documents. Reads text and what a document says of itself; runs nothing that is in it. */
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'unpdf/pdfjs'
import { type Json, type Made, Refusal, serve } from './serve.ts'

type Request =
  | { readonly op: 'read'; readonly pages: string; readonly maxCharacters: number }
  | { readonly op: 'info' }

const mostPagesRead = 500
const mostPages = 20_000
const longestField = 500

await serve<Request>(async (request, bytes) => {
  const document = await opened(bytes)
  if (document.numPages > mostPages) throw new Refusal(`It has more than ${mostPages} pages.`)
  return request.op === 'read' ? read(document, request) : info(document)
})

async function opened(data: Uint8Array<ArrayBuffer>): Promise<PDFDocumentProxy> {
  // Some begin with other bytes; one that does not say so near its beginning is something else.
  if (!Buffer.from(data.subarray(0, 1024)).includes('%PDF-')) throw new Refusal('It is not a PDF document.')
  try {
    return await getDocument({
      data,
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      useWorkerFetch: false,
      useWasm: false,
      maxImageSize: 1,
    }).promise
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException')
      throw new Refusal('It is protected by a password. Save a copy without one, and read that.')
    throw new Refusal(`It is damaged: ${textOf(error)}`)
  }
}

async function read(
  document: PDFDocumentProxy,
  { pages, maxCharacters }: Extract<Request, { op: 'read' }>,
): Promise<Made> {
  const wanted = pagesOf(pages, document.numPages)
  const read: { page: number; text: string }[] = []
  let left = maxCharacters
  for (const page of wanted.slice(0, mostPagesRead)) {
    if (left <= 0) break
    const text = await textOfPage(document, page)
    read.push({ page, text: text.slice(0, left) })
    left -= text.length
  }
  const truncated = left < 0 || read.length < wanted.length
  return { facts: { pages: document.numPages, read, truncated } }
}

async function textOfPage(document: PDFDocumentProxy, number: number): Promise<string> {
  let page: PDFPageProxy | undefined
  try {
    page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    return parts.join('').trim()
  } catch (error) {
    return `[page ${number} is damaged: ${textOf(error)}]`
  } finally {
    page?.cleanup()
  }
}

/** `all`, or numbers and ranges such as `1-3,7`, in this order. */
function pagesOf(wish: string, count: number): number[] {
  if (wish === 'all') return Array.from({ length: count }, (_, index) => index + 1)
  const pages = wish.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    if (first < 1 || last < first || first > count)
      throw new Refusal(`It has ${count} ${count === 1 ? 'page' : 'pages'}; there is no page ${part}.`)
    return Array.from({ length: Math.min(last, count) - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(pages)]
}

async function info(document: PDFDocumentProxy): Promise<Made> {
  const { info: told } = await document.getMetadata()
  const fields = new Map<string, unknown>(Object.entries(told))
  const page = await document.getPage(1)
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  const attached = await document.getAttachments().catch(() => null)
  const actions = await document.getJSActions().catch(() => null)
  const text = (name: string): Json => {
    const value = fields.get(name)
    return typeof value === 'string' && value !== '' ? value.slice(0, longestField) : null
  }
  return {
    facts: {
      pages: document.numPages,
      version: text('PDFFormatVersion'),
      title: text('Title'),
      author: text('Author'),
      subject: text('Subject'),
      keywords: text('Keywords'),
      creator: text('Creator'),
      producer: text('Producer'),
      created: text('CreationDate'),
      modified: text('ModDate'),
      pageWidth: Math.round(right - left),
      pageHeight: Math.round(top - bottom),
      encrypted: typeof fields.get('EncryptFilterName') === 'string',
      form: fields.get('IsAcroFormPresent') === true,
      signed: fields.get('IsSignaturesPresent') === true,
      attachments: attached === null ? 0 : Object.keys(attached).length,
      programs: actions !== null && Object.keys(actions).length > 0,
    },
  }
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200)
}
