/** Owns the office documents that somebody made to do harm: archives that grow, types of their own, references that lead out. */
import { Buffer } from 'node:buffer'
import { openArchive } from '../../../../../packages/executor/src/documents/program/office/archive.ts'
import {
  docxOf,
  openDocumentOf,
  pptxOf,
  relationsXml,
  xlsxOf,
  type ZipPart,
  zipOf,
} from '../../../../../packages/executor/src/documents/testing/office-file.ts'
import { textPdf } from '../../../../../packages/executor/src/documents/testing/pdf-file.ts'
import type { HostileFile, Lures } from './hostile-file.ts'

export const officeKinds = ['docx', 'xlsx', 'pptx', 'odf'] as const
export type OfficeKind = (typeof officeKinds)[number]

/** The part with the words, and what stands in it around them. */
const bodies: Readonly<Record<OfficeKind, { readonly main: string; readonly root: string }>> = {
  docx: { main: 'word/document.xml', root: 'document' },
  xlsx: { main: 'xl/worksheets/sheet1.xml', root: 'worksheet' },
  pptx: { main: 'ppt/slides/slide1.xml', root: 'sld' },
  odf: { main: 'content.xml', root: 'document-content' },
}

export function honestOffice(): Readonly<Record<OfficeKind, readonly Buffer[]>> {
  const rows = Array.from(
    { length: 30 },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c><c r="B${at + 1}" s="1"><v>${at}</v></c></row>`,
  ).join('')
  const words = Array.from({ length: 30 }, (_, at) => `Paragraph ${at}`)
  const cell = '<table:table-cell><text:p>x</text:p></table:table-cell>'
  return {
    docx: [docxOf(['Hello']), docxOf(words)],
    xlsx: [
      xlsxOf(
        [
          { name: 'One', rows },
          { name: 'Two', rows, state: 'hidden' },
        ],
        ['word'],
      ),
    ],
    pptx: [
      pptxOf([
        { title: 'One', body: 'a\nb', notes: 'c' },
        { title: 'Two', body: 'd' },
      ]),
    ],
    odf: [
      openDocumentOf('text', words.map((each) => `<text:p>${each}</text:p>`).join('')),
      openDocumentOf(
        'spreadsheet',
        `<table:table table:name="T"><table:table-row>${cell}</table:table-row></table:table>`,
      ),
      openDocumentOf('presentation', '<draw:page draw:name="P"><text:p>x</text:p></draw:page>'),
    ],
  }
}

export function hostileOffice(lures: Lures): Readonly<Record<OfficeKind, readonly HostileFile[]>> {
  return {
    docx: [...inEach('docx', lures), ...words(lures)],
    xlsx: [...inEach('xlsx', lures), ...sheets(lures)],
    pptx: [...inEach('pptx', lures), ...slides(lures)],
    odf: [...inEach('odf', lures), ...open()],
  }
}

/** The honest document with another content of one part, and with more parts. */
function changed(
  kind: OfficeKind,
  change: {
    readonly part?: string
    readonly main?: string | Uint8Array
    readonly more?: readonly ZipPart[]
  },
): Buffer {
  const [base = Buffer.alloc(0)] = honestOffice()[kind]
  const archive = openArchive(base)
  const { part = bodies[kind].main, main, more = [] } = change
  return zipOf([
    ...archive.names.map((name) => ({
      name,
      content: name === part && main !== undefined ? main : (archive.part(name) ?? ''),
    })),
    ...more,
  ])
}

const refused = true as const

function inEach(kind: OfficeKind, { port, canary }: Lures): HostileFile[] {
  const { root } = bodies[kind]
  const laughs = Array.from(
    'bcdefghij',
    (name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`,
  )
  const typed = (types: string, said: string) => `<!DOCTYPE r [${types}]><${root}>${said}</${root}>`
  const spaces = Buffer.concat([
    Buffer.from(`<${root}>`),
    Buffer.alloc(110_000_000, 32),
    Buffer.from(`</${root}>`),
  ])
  return [
    { name: 'a part that grows a thousandfold', bytes: changed(kind, { main: spaces }), refused },
    {
      name: 'entities in entities',
      bytes: changed(kind, { main: typed(`<!ENTITY a "ha">${laughs.join('')}`, '&j;') }),
      refused,
    },
    {
      name: 'entities that lie elsewhere',
      bytes: changed(kind, {
        main: typed(
          `<!ENTITY f SYSTEM "file://${canary}"><!ENTITY % n SYSTEM "http://127.0.0.1:${port}/dtd">%n;`,
          '&f;',
        ),
      }),
      refused,
    },
    {
      name: 'elements in elements',
      bytes: changed(kind, { main: `<${root}>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</${root}>` }),
      refused,
    },
  ]
}

const climbing = ['../../../../../../tmp/planted', '/etc/planted', '..\\..\\planted', 'kept.txt', 'a\0b', '']

function words({ port, canary }: Lures): HostileFile[] {
  const outside = ['attachedTemplate', 'image', 'hyperlink', 'subDocument', 'oleObject'].map((each, at) => ({
    id: `rId${at}`,
    kind: each,
    target: at % 2 === 0 ? `http://127.0.0.1:${port}/${each}` : `file://${canary}`,
    outside: true as const,
  }))
  const attributes = Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')
  return [
    {
      name: 'names that climb out',
      bytes: docxOf(['x'], { more: climbing.map((name) => ({ name, content: 'x' })) }),
    },
    {
      name: 'references that lead out',
      bytes: docxOf(['<w:p><w:hyperlink r:id="rId2"/></w:p>'], { links: outside }),
    },
    {
      name: 'another document of the same name',
      bytes: changed('docx', { more: [{ name: 'Word/Document.xml', content: '<document/>' }] }),
      refused,
    },
    { name: 'a PDF before it', bytes: Buffer.concat([textPdf(['x']), docxOf(['x'])]), refused },
    { name: 'two hundred thousand attributes', bytes: docxOf([`<w:p ${attributes}/>`]) },
    { name: 'a million paragraphs', bytes: docxOf(['<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(1_000_000)]) },
  ]
}

function sheets({ port, canary }: Lures): HostileFile[] {
  const lies = xlsxOf([{ name: 'x', rows: '' }])
  lies.writeUInt32LE(0xfffffff0, lies.length - 6)
  const many = Array.from({ length: 20_000 }, (_, at) => ({ name: `p${at}`, content: '' }))
  const far =
    '<dimension ref="A1:XFD1048576"/><row r="99999999999" spans="1:16384"><c r="ZZZ99999999999" s="-1"><v>1e308</v></c><c r="A1" t="s"><v>-7</v></c></row>'
  return [
    {
      name: 'cells without end',
      bytes: changed('xlsx', { main: `<worksheet><sheetData>${far.repeat(200)}</sheetData></worksheet>` }),
    },
    { name: 'twenty thousand parts', bytes: changed('xlsx', { more: many }), refused },
    { name: 'a list of parts that lies elsewhere', bytes: lies, refused },
    {
      name: 'a workbook that asks for others',
      bytes: changed('xlsx', {
        main: `<worksheet><sheetData><row r="1"><c r="A1"><f>WEBSERVICE("http://127.0.0.1:${port}/x")</f></c><c r="B1"><f>'file://${canary}'#$A.A1</f></c></row></sheetData></worksheet>`,
        more: [
          {
            name: 'xl/externalLinks/_rels/externalLink1.xml.rels',
            content: relationsXml([
              { id: 'r', kind: 'externalLinkPath', target: `file://${canary}`, outside: true },
            ]),
          },
        ],
      }),
    },
    {
      name: 'a million strings',
      bytes: xlsxOf(
        [{ name: 'x', rows: '<row r="1"><c r="A1" t="s"><v>999999</v></c></row>' }],
        Array(1_000_000).fill('x'),
      ),
    },
    {
      name: 'a workbook with macros',
      bytes: changed('xlsx', { more: [{ name: 'xl/vbaProject.bin', content: 'Auto_Open' }] }),
    },
  ]
}

function slides({ port }: Lures): HostileFile[] {
  const inner = zipOf([{ name: 'b', content: Buffer.alloc(10_000_000) }])
  const nested = Array.from({ length: 5 }).reduce<Buffer>(
    (bytes) => zipOf(Array.from({ length: 8 }, (_, at) => ({ name: `z${at}`, content: bytes }))),
    inner,
  )
  const round = relationsXml([
    { id: 'rId1', kind: 'notesSlide', target: 'slide1.xml' },
    { id: 'rId2', kind: 'slide', target: `http://127.0.0.1:${port}/slide`, outside: true },
  ])
  const itself = Array.from({ length: 5_000 }, (_, at) => `<p:sldId id="${at}" r:id="rId1"/>`).join('')
  const space = 'xmlns:p="p" xmlns:r="r"'
  return [
    {
      name: 'archives in archives',
      bytes: changed('pptx', { more: [{ name: 'ppt/embeddings/a.bin', content: nested }] }),
    },
    {
      name: 'notes that are the slide',
      bytes: changed('pptx', { part: 'ppt/slides/_rels/slide1.xml.rels', main: round }),
    },
    {
      name: 'one slide five thousand times',
      bytes: changed('pptx', {
        part: 'ppt/presentation.xml',
        main: `<p:presentation ${space}><p:sldIdLst>${itself}</p:sldIdLst></p:presentation>`,
      }),
    },
    {
      name: 'a script after it',
      bytes: Buffer.concat([changed('pptx', {}), Buffer.from('\n#!/bin/sh\nid\n')]),
    },
    {
      name: 'a page of HTML',
      bytes: Buffer.from(`<html><img src="http://127.0.0.1:${port}/p"></html>`.repeat(9)),
      refused,
    },
  ]
}

function open(): HostileFile[] {
  const huge = 'table:number-columns-repeated="2147483647"'
  const repeated = `<table:table table:name="T"><table:table-row table:number-rows-repeated="2147483647"><table:table-cell ${huge}><text:p><text:s text:c="2147483647"/>x</text:p></table:table-cell></table:table-row></table:table>`
  return [
    { name: 'cells that are repeated without end', bytes: openDocumentOf('spreadsheet', repeated) },
    {
      name: 'spaces without end',
      bytes: openDocumentOf('text', '<text:p><text:s text:c="1e308"/></text:p>'.repeat(10_000)),
    },
    {
      name: 'a document with a password',
      bytes: openDocumentOf('text', '<text:p>x</text:p>', '<manifest:encryption-data/>'),
      refused,
    },
    { name: 'nothing', bytes: Buffer.alloc(0), refused },
    {
      name: 'the end of an archive alone',
      bytes: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(40), zipOf([])]),
      refused,
    },
  ]
}
