/** PDF documents by hand, byte by byte, so that what reads them is tested against the format and not against itself. */
import { Buffer } from 'node:buffer'
import { constants, deflateRawSync } from 'node:zlib'

/** A page is a line of text, or the compressed content of a page. */
export function textPdf(
  pages: readonly (string | Uint8Array)[],
  info: Readonly<Record<string, string>> = {},
): Buffer {
  const first = 5
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const fields = Object.entries(info)
    .map(([name, value]) => `/${name} (${value})`)
    .join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${fields} >>`,
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      contentOf(page),
    ]),
  ])
}

/** Numbered from one; the first is the catalogue and the fourth is what the document says of itself. */
export function pdfOf(objects: readonly (string | Uint8Array)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Uint8Array): void => {
    parts.push(Buffer.from(part))
    length += part.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.from(`${index + 1} 0 obj\n`))
    add(Buffer.from(object))
    add(Buffer.from('\nendobj\n'))
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

export function streamOf(bytes: Uint8Array, entries = ''): Buffer {
  const head = Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`)
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')])
}

function contentOf(page: string | Uint8Array): Buffer {
  return typeof page === 'string'
    ? streamOf(Buffer.from(`BT /F1 12 Tf 72 720 Td (${page}) Tj ET`))
    : streamOf(page, '/Filter /FlateDecode')
}

/** Deflated spaces, a million for each thousand bytes, without the work of deflating them all. */
export function inflating(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_000_000, 32), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: megabytes }, () => block),
    Buffer.from([3, 0]),
  ])
}

/** A document whose objects are told of in a stream. */
export function crossReferenced(stream: Uint8Array): Buffer {
  const head = Buffer.from('%PDF-1.7\n')
  const entries = '/Type /XRef /Size 900000000 /W [1 4 2] /Root 1 0 R /Filter /FlateDecode'
  const table = Buffer.concat([
    Buffer.from('1 0 obj\n'),
    streamOf(stream, entries),
    Buffer.from('\nendobj\n'),
  ])
  return Buffer.concat([head, table, Buffer.from(`startxref\n${head.length}\n%%EOF\n`)])
}
