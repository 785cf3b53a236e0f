/** Office documents by hand, part by part, so that what reads them is tested against the formats and not against itself. */
import { Buffer } from 'node:buffer'
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: string | Uint8Array
  /** Packed already, with what the archive says of it. */
  readonly packed?: Uint8Array
  readonly encrypted?: true
}

export function zipOf(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const { name, content, packed, encrypted } of parts) {
    const bytes = Buffer.from(content)
    const data = packed ?? deflateRawSync(bytes)
    const named = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(encrypted ? 1 : 0, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(named.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, named, data])
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, named]))
    files.push(file)
    at += file.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, directory, end])
}

const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface TestRelation {
  readonly id: string
  readonly kind: string
  readonly target: string
  readonly outside?: true
}

export function relationsXml(relations: readonly TestRelation[]): string {
  const lines = relations.map(
    ({ id, kind, target, outside }) =>
      `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"${outside ? ' TargetMode="External"' : ''}/>`,
  )
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`
}

const rootOf = (target: string): ZipPart => ({
  name: '_rels/.rels',
  content: relationsXml([{ id: 'rId1', kind: 'officeDocument', target }]),
})

const wordSpace =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:v="urn:schemas-microsoft-com:vml"'

/** Paragraphs are words, or XML that begins with `<`. */
export function docxOf(
  paragraphs: readonly string[],
  { links = [], more = [] }: { links?: readonly TestRelation[]; more?: readonly ZipPart[] } = {},
): Buffer {
  const body = paragraphs
    .map((each) => (each.startsWith('<') ? each : `<w:p><w:r><w:t>${each}</w:t></w:r></w:p>`))
    .join('')
  return zipOf([
    rootOf('word/document.xml'),
    {
      name: 'word/document.xml',
      content: `<?xml version="1.0"?><w:document ${wordSpace}><w:body>${body}</w:body></w:document>`,
    },
    { name: 'word/_rels/document.xml.rels', content: relationsXml([...links, ...partRelations(more)]) },
    {
      name: 'word/styles.xml',
      content: `<w:styles ${wordSpace}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="H2"><w:name w:val="Heading 2"/></w:style></w:styles>`,
    },
    ...more.map((part) => ({ ...part, content: String(part.content).replace('NS', wordSpace) })),
  ])
}

/** The document refers to its styles, notes, comments, headers and footers. */
function partRelations(more: readonly ZipPart[]): TestRelation[] {
  return [{ name: 'word/styles.xml' }, ...more].flatMap(({ name }, index) => {
    const [, target, kind] =
      /^word\/((styles|footnotes|endnotes|comments|header|footer)\d*\.xml)$/.exec(name) ?? []
    return target === undefined || kind === undefined ? [] : [{ id: `rIdP${index}`, kind, target }]
  })
}

export interface TestSheet {
  readonly name: string
  /** The XML of its rows. */
  readonly rows: string
  readonly state?: 'hidden'
  /** What stands before the rows. */
  readonly before?: string
}

export function xlsxOf(
  sheets: readonly TestSheet[],
  strings: readonly string[] = [],
  more: readonly ZipPart[] = [],
  styles?: string,
): Buffer {
  const book = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  )
  return zipOf([
    rootOf('xl/workbook.xml'),
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="${kinds}"><sheets>${book.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationsXml([
        ...sheets.map((_, index) => ({
          id: `rId${index + 1}`,
          kind: 'worksheet',
          target: `worksheets/sheet${index + 1}.xml`,
        })),
        { id: 'rIdS', kind: 'sharedStrings', target: 'sharedStrings.xml' },
        { id: 'rIdT', kind: 'styles', target: 'styles.xml' },
      ]),
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst>${strings.map((each) => `<si><t>${each}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content:
        styles ??
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    },
    ...sheets.map(({ rows, before = '' }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet>${before}<sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...more,
  ])
}

export interface TestSlide {
  readonly title: string
  readonly body: string
  readonly notes?: string
  readonly hidden?: true
}

const shape = (type: string, words: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${words
    .split('\n')
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

const slideSpace =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'

/** `written` are slides as XML, behind the others. */
export function pptxOf(
  slides: readonly TestSlide[],
  more: readonly ZipPart[] = [],
  written: readonly string[] = [],
): Buffer {
  const all = [...slides, ...written]
  return zipOf([
    rootOf('ppt/presentation.xml'),
    {
      name: 'ppt/presentation.xml',
      content: `<p:presentation ${slideSpace} xmlns:r="${kinds}"><p:sldIdLst>${all.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relationsXml(
        all.map((_, index) => ({
          id: `rId${index + 1}`,
          kind: 'slide',
          target: `/ppt/slides/slide${all.length - index}.xml`,
        })),
      ),
    },
    ...slides.flatMap(({ title, body, notes, hidden }, index) => {
      // In another order than they are shown in.
      const number = all.length - index
      const tree = `<p:cSld><p:spTree>${shape('ctrTitle', title)}${shape('body', body)}${shape('sldNum', `no. ${number}`)}</p:spTree></p:cSld>`
      return [
        {
          name: `ppt/slides/slide${number}.xml`,
          content: `<p:sld ${slideSpace}${hidden ? ' show="0"' : ''}>${tree}</p:sld>`,
        },
        {
          name: `ppt/slides/_rels/slide${number}.xml.rels`,
          content: relationsXml([
            { id: 'rId1', kind: 'notesSlide', target: `../notesSlides/notesSlide${number}.xml` },
          ]),
        },
        {
          name: `ppt/notesSlides/notesSlide${number}.xml`,
          content: `<p:notes ${slideSpace}><p:cSld><p:spTree>${shape('body', notes ?? '')}${shape('sldNum', '7')}</p:spTree></p:cSld></p:notes>`,
        },
      ]
    }),
    ...written.map((content, index) => ({ name: `ppt/slides/slide${written.length - index}.xml`, content })),
    ...more,
  ])
}

const openSpace =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'

export function openDocumentOf(
  form: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  manifest = '',
  styles = '',
): Buffer {
  return zipOf([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${form}` },
    {
      name: 'content.xml',
      content: `<?xml version="1.0"?><office:document-content ${openSpace}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${form}>${body}</office:${form}></office:body></office:document-content>`,
    },
    {
      name: 'META-INF/manifest.xml',
      content: `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">${manifest}</manifest:manifest>`,
    },
  ])
}

/** The beginning of a file of files, as Office writes it around a document with a password, or wrote it before 2007. */
export function compoundOf(stream: string): Buffer {
  return Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1_016),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(512),
  ])
}
