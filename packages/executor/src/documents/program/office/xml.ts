/**
 * Owns how the XML of an office document is read: in one pass, as deep as a bound, without declarations of types, so that
 * there are neither entities of its own nor references that lead out. What is in a vocabulary that office programs do not
 * know is passed over, as they do.
 */
import { SaxesParser } from 'saxes'
import { Refusal } from '../serve.ts'

const deepest = 256
const chunkBytes = 65_536

export interface Element {
  /** Without its prefix. */
  readonly name: string
  /** By its name, with whatever prefix; `r:id` is the one that names a part, since there are other ids. */
  attribute(name: string): string | undefined
}

export interface Reader {
  /** What is in an element that is passed over is not told. */
  open(element: Element): 'pass-over' | undefined
  text?(text: string): void
  close?(name: string): void
}

export function readXml(bytes: Uint8Array | undefined, reader: Reader): void {
  if (bytes === undefined) return
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  let passedFrom = 0
  parser.on('doctype', () => {
    throw new Refusal('It declares types of its own, which no office program does. It is not read.')
  })
  parser.on('error', (error) => {
    throw new Refusal(`It is damaged: ${error.message.slice(0, 200)}`)
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    depth += 1
    if (depth > deepest) throw new Refusal(`It is nested deeper than ${deepest} levels.`)
    if (passedFrom > 0) return
    const attribute = (wanted: string) => valueOf(attributes, wanted)
    if (!isKnown(uri) || reader.open({ name: local, attribute }) === 'pass-over') passedFrom = depth
  })
  parser.on('closetag', ({ local }) => {
    if (passedFrom === 0) reader.close?.(local)
    else if (passedFrom === depth) passedFrom = 0
    depth -= 1
  })
  const text = (said: string) => {
    if (passedFrom === 0) reader.text?.(said)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8')
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
  parser.close()
}

/** The outermost element. */
export function rootOf(bytes: Uint8Array | undefined): Element | undefined {
  let root: Element | undefined
  try {
    readXml(bytes, {
      open(element) {
        root = element
        throw new Found()
      },
    })
  } catch (error) {
    if (!(error instanceof Found)) throw error
  }
  return root
}

class Found extends Error {}

type Attributes = Readonly<
  Record<string, { readonly local: string; readonly uri: string; readonly value: string }>
>

/** Prefixes are chosen by whoever wrote the document, so they tell nothing. */
function valueOf(attributes: Attributes, wanted: string): string | undefined {
  const local = wanted.slice(wanted.indexOf(':') + 1)
  for (const name in attributes) {
    const each = attributes[name]
    if (each?.local === local && (wanted !== 'r:id' || each.uri.endsWith('/relationships'))) return each.value
  }
  return undefined
}

/** Those that hold text, or what text is in; an element of another with the same name is shown by nobody. */
const vocabularies = [
  /^http:\/\/schemas\.openxmlformats\.org\/(?:wordprocessingml|spreadsheetml|presentationml)\/2006\/main$/,
  /^http:\/\/schemas\.openxmlformats\.org\/drawingml\/2006\/(?:main|picture|wordprocessingDrawing|spreadsheetDrawing|chart|diagram|table)$/,
  /^http:\/\/schemas\.openxmlformats\.org\/(?:officeDocument|package)\/2006\/(?:relationships|math)$/,
  /^http:\/\/schemas\.openxmlformats\.org\/markup-compatibility\/2006$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/(?:wordprocessingml|spreadsheetml|presentationml)\/main$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/drawingml\/(?:main|picture|wordprocessingDrawing|chart|diagram|table)$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/officeDocument\/(?:relationships|math)$/,
  /^http:\/\/schemas\.microsoft\.com\/office\/(?:word\/2010\/wordprocessing(?:Shape|Group|Canvas)|drawing\/2010\/main)$/,
  /^urn:schemas-microsoft-com:(?:vml|office:(?:office|word|excel|powerpoint))$/,
  /^urn:oasis:names:tc:opendocument:xmlns:[a-z]+:1\.0$/,
]
const known = new Map([['', true]])

function isKnown(uri: string): boolean {
  const told = known.get(uri) ?? vocabularies.some((vocabulary) => vocabulary.test(uri))
  if (known.size < 1_000) known.set(uri, told)
  return told
}
