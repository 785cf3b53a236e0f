/**
 * The program for office documents: Word, Excel and PowerPoint since 2007, and OpenDocument. Takes their text out, up to a
 * bound; macros and what is embedded are not looked at, and nothing that they refer to is asked for.
 */
import { Buffer } from 'node:buffer'
import { collectText, Enough, type TextWish } from './office/collected-text.ts'
import type { OfficeNote } from './office/notes.ts'
import { openOffice } from './office/office-form.ts'
import { Refusal, serve } from './serve.ts'

interface Request extends TextWish {
  readonly op: 'read'
}

const wordFor = { document: 'part', workbook: 'sheets', presentation: 'slides' } as const

/** Pictures, charts, drawings made of words, what is embedded, and comments that are not in the text. */
const notRead =
  /(?:^|\/)(?:media|charts?|diagrams|embeddings|Pictures|Object \d+|threadedComments|persons)\/|(?:^xl\/(?:drawings\/)?|^ppt\/comments\/)(?:comments?|drawing)[^/]*\.xml$/

await serve<Request>(async (request, bytes) => {
  const { form, archive, read } = openOffice(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const notes = new Set<OfficeNote>()
  if (archive.names.some((name) => /(?:vbaProject\.bin|^Basic\/.+)$/i.test(name))) notes.add('macros')
  if (archive.names.some((name) => notRead.test(name))) notes.add('unread')
  const collected = collectText(request)
  let parts: number | null = null
  try {
    parts = read({ collected, notes })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  if (parts !== null && collected.parts.length === 0)
    throw new Refusal(`It has ${parts} ${wordFor[form]}; ${request.parts} is not among them.`)
  return {
    facts: {
      form,
      parts,
      read: collected.parts.map(({ part, title, text }) => ({ part, title, text: text.trimEnd() })),
      truncated: parts === null,
      notes: [...notes],
    },
  }
})
