/** Owns the files that somebody made to do harm: bombs, nesting without end, references that lead out, other kinds. */
import { Buffer } from 'node:buffer'
import {
  crossReferenced,
  inflating,
  pdfOf,
  streamOf,
  textPdf,
} from '../../../../../packages/executor/src/documents/testing/pdf-file.ts'
import { greyPng } from '../../../../../packages/executor/src/documents/testing/png-file.ts'
import type { HostileFile, Lures } from './hostile-file.ts'
import { hostileOffice, officeKinds } from './hostile-office.ts'

export const kinds = ['pdf', 'image', 'audio', 'split', ...officeKinds] as const
export type Kind = (typeof kinds)[number]

export function hostileFiles(lures: Lures): Readonly<Record<Kind, readonly HostileFile[]>> {
  const sound = sounds(lures)
  return { pdf: pdfs(lures), image: pictures(lures), audio: sound, split: sound, ...hostileOffice(lures) }
}

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>'
const page = (rest: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 6 0 R >> ${rest} >> >>`

function pdfs({ port, canary }: Lures): HostileFile[] {
  const url = `http://127.0.0.1:${port}/pdf`
  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
  const withCatalogue = (entries: string) =>
    pdfOf([
      `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      page(''),
      '<< >>',
      streamOf(Buffer.from('BT /F1 12 Tf (x) Tj ET')),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ])
  return [
    { name: 'a page that inflates to four gigabytes', bytes: textPdf([inflating(4_000)]) },
    { name: 'a table of objects that inflates', bytes: crossReferenced(inflating(2_000)) },
    {
      name: 'a thousand pages of one bomb',
      bytes: textPdf(Array.from({ length: 30 }, () => inflating(200))),
    },
    { name: 'arrays in arrays', bytes: withCatalogue(`/X ${deep('[', ']', 200_000)}`) },
    { name: 'dictionaries in dictionaries', bytes: withCatalogue(`/X ${deep('<</A ', '>>', 100_000)}`) },
    {
      name: 'pages that hold themselves',
      bytes: pdfOf([
        catalogue,
        '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>',
        page(''),
        '<< >>',
      ]),
    },
    {
      name: 'an object that is another that is it',
      bytes: pdfOf([catalogue, '3 0 R', '2 0 R', '<< >>']),
    },
    {
      name: 'a program at the beginning',
      bytes: withCatalogue(
        `/OpenAction << /S /JavaScript /JS (app.launchURL('${url}'); fetch('${url}'); util.readFileIntoStream('${canary}')) >>`,
      ),
    },
    { name: 'a launch at the beginning', bytes: withCatalogue('/OpenAction << /S /Launch /F (/bin/sh) >>') },
    { name: 'an address at the beginning', bytes: withCatalogue(`/OpenAction << /S /URI /URI (${url}) >>`) },
    {
      name: 'another document to go to',
      bytes: withCatalogue(`/OpenAction << /S /GoToR /F (${canary}) /D [0] >>`),
    },
    {
      name: 'a content that lies elsewhere',
      bytes: pdfOf([
        catalogue,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        page(''),
        '<< >>',
        streamOf(Buffer.from(''), `/F << /Type /Filespec /FS /URL /F (${url}) >>`),
        '<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor << /FontFile2 7 0 R >> >>',
        streamOf(Buffer.from(''), `/F (${canary})`),
      ]),
    },
    {
      name: 'a form that draws itself',
      bytes: pdfOf([
        catalogue,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        page('/XObject << /X 7 0 R >>'),
        '<< >>',
        streamOf(Buffer.from('/X Do '.repeat(1_000))),
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        streamOf(
          Buffer.from('/X Do /X Do '.repeat(100)),
          '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 7 0 R >> >>',
        ),
      ]),
    },
    { name: 'a page of other bytes', bytes: Buffer.concat([Buffer.from('#!/bin/sh\nid\n'), textPdf(['x'])]) },
    { name: 'a picture', bytes: greyPng(20, 20), refused: true },
  ]
}

function pictures({ port, canary }: Lures): HostileFile[] {
  const url = `http://127.0.0.1:${port}/picture`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="50" height="50">
<image xlink:href="${url}" width="9" height="9"/><image xlink:href="file://${canary}" width="9" height="9"/><rect width="9" height="9"/></svg>`
  const entities = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${'x'.repeat(100)}">${Array.from(
    'bcdefgh',
  )
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(20)}">`)
    .join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&h;</text></svg>`
  const says = (width: number, height: number) => ({ says: { width, height } })
  return [
    { name: 'a drawing that reads and asks', bytes: Buffer.from(drawing), refused: true },
    { name: 'a drawing of entities in entities', bytes: Buffer.from(entities), refused: true },
    {
      name: 'a head of two thousand million squared',
      bytes: greyPng(4, 4, says(2_000_000_000, 2_000_000_000)),
      refused: true,
    },
    { name: 'a head of 60,000 squared', bytes: greyPng(4, 4, says(60_000, 60_000)), refused: true },
    { name: 'a head of nothing', bytes: greyPng(4, 4, says(0, 0)), refused: true },
    {
      name: 'a bomb behind an honest head',
      bytes: greyPng(4, 4, { ...says(7_000, 7_000), data: inflating(900) }),
    },
    {
      name: 'more lines than the head says',
      bytes: greyPng(4, 4, { ...says(16, 16), data: inflating(2_000) }),
    },
    { name: 'a document', bytes: textPdf(['x']), refused: true },
    {
      name: 'words',
      bytes: Buffer.from(`push graphic-context\nimage over 0,0 0,0 '${url}'\n`),
      refused: true,
    },
    { name: 'nothing', bytes: Buffer.alloc(0), refused: true },
  ]
}

function sounds({ port, canary }: Lures): HostileFile[] {
  const url = `http://127.0.0.1:${port}/sound`
  const list = (entry: string) =>
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${entry}\n#EXT-X-ENDLIST\n`
  const wave = Buffer.alloc(44)
  wave.write('RIFF\xff\xff\xff\xffWAVEfmt ', 0, 'latin1')
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(65_535, 22)
  wave.writeUInt32LE(0xffffffff, 24)
  wave.writeUInt32LE(0xffffffff, 28)
  wave.write('data\xff\xff\xff\xff', 36, 'latin1')
  const refused = true as const
  return [
    { name: 'a list of an address', bytes: Buffer.from(list(url)), refused },
    { name: 'a list of a file', bytes: Buffer.from(list(`file://${canary}`)), refused },
    { name: 'a list of a concatenation', bytes: Buffer.from(list(`concat:${canary}|${canary}`)), refused },
    { name: 'a script of files', bytes: Buffer.from(`ffconcat version 1.0\nfile '${canary}'\n`), refused },
    {
      name: 'a description of a stream',
      bytes: Buffer.from(
        `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`,
      ),
      refused,
    },
    {
      name: 'a manifest of addresses',
      bytes: Buffer.from(
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      ),
      refused,
    },
    { name: 'a wave without end', bytes: Buffer.concat([wave, Buffer.alloc(1_000, 128)]) },
    {
      name: 'titles without end',
      bytes: Buffer.concat([
        Buffer.from('ID3\x04\x00\x00\x7f\x7f\x7f\x7f', 'latin1'),
        Buffer.alloc(500_000, 65),
      ]),
    },
    { name: 'a picture', bytes: greyPng(20, 20), refused },
    { name: 'nothing', bytes: Buffer.alloc(0), refused },
  ]
}
