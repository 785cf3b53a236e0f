/** Owns which of the formats an office document is, by what is in it, whatever its name says; and which it is not, and why. */
import { Buffer } from 'node:buffer'
import { Refusal } from '../serve.ts'
import { type Archive, openArchive, passwordText } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import type { OfficeNote } from './notes.ts'
import { isEncrypted, type OpenForm, readOpenDocument } from './open-document.ts'
import { relationsOf } from './relations.ts'
import { readWorkbook } from './sheets.ts'
import { readPresentation } from './slides.ts'
import { readWord } from './word.ts'

export interface OfficeDocument {
  readonly form: OpenForm
  readonly archive: Archive
  /** Gives the number of parts that it has. */
  read(into: { readonly collected: CollectedText; readonly notes: Set<OfficeNote> }): number
}

export function openOffice(bytes: Buffer): OfficeDocument {
  const archive = opened(bytes)
  const { form, read } = formOf(archive)
  return { form, archive, read: (into) => read({ archive, ...into }) }
}

function opened(bytes: Buffer): Archive {
  if (bytes.subarray(0, 8).equals(compound)) throw new Refusal(compoundText(bytes))
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== 0x04034b50) throw new Refusal(otherText)
  return openArchive(bytes)
}

const otherText =
  'It is no office document that is read here: Word, Excel and PowerPoint since 2007 (.docx, .xlsx, .pptx) and OpenDocument (.odt, .ods, .odp) are.'

/** The file of files in which Office before 2007 kept documents, and in which later ones keep those with a password. */
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function compoundText(bytes: Buffer): string {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return passwordText
  return 'It is an office document from before 2007 (.doc, .xls, .ppt). Save it as .docx, .xlsx or .pptx, and read that.'
}

type Read = (parts: Parameters<typeof readOpenDocument>[1]) => number

function formOf(archive: Archive): { form: OpenForm; read: Read } {
  const open = openForm(archive.part('mimetype')?.subarray(0, 100).toString('latin1') ?? '')
  if (open !== undefined) {
    if (isEncrypted(archive)) throw new Refusal(passwordText)
    return { form: open, read: (parts) => readOpenDocument(open, parts) }
  }
  const main = [...relationsOf(archive, '').values()].find(
    ({ kind, isOutside }) => kind === 'officeDocument' && !isOutside,
  )?.target
  if (main === undefined) throw new Refusal(otherText)
  if (/document\d*\.xml$/i.test(main)) return { form: 'document', read: (parts) => readWord(main, parts) }
  if (/workbook\d*\.xml$/i.test(main)) return { form: 'workbook', read: (parts) => readWorkbook(main, parts) }
  if (/presentation\d*\.xml$/i.test(main))
    return { form: 'presentation', read: (parts) => readPresentation(main, parts) }
  throw new Refusal(otherText)
}

function openForm(type: string): OpenForm | undefined {
  const word = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(type)?.[1]
  if (word === 'text') return 'document'
  if (word === 'spreadsheet') return 'workbook'
  return word === 'presentation' ? 'presentation' : undefined
}
