/**
 * Owns how the XML of an office document is read: in one pass, as deep as a bound, without declarations of types, so that
 * there are neither entities of its own nor references that lead out.
 */
import { SaxesParser } from 'saxes'
import { Refusal } from '../serve.ts'

const deepest = 256
const chunkBytes = 65_536

export interface Element {
  /** Without its prefix. */
  readonly name: string
  /** By its whole name, or by its name without prefix. */
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
  const parser = new SaxesParser({ xmlns: false })
  let depth = 0
  let passedFrom = 0
  parser.on('doctype', () => {
    throw new Refusal('It declares types of its own, which no office program does. It is not read.')
  })
  parser.on('error', (error) => {
    throw new Refusal(`It is damaged: ${error.message.slice(0, 200)}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > deepest) throw new Refusal(`It is nested deeper than ${deepest} levels.`)
    if (passedFrom > 0) return
    const attribute = (wanted: string) => attributes[wanted] ?? byLocalName(attributes, wanted)
    if (reader.open({ name: localName(name), attribute }) === 'pass-over') passedFrom = depth
  })
  parser.on('closetag', ({ name }) => {
    if (passedFrom === 0) reader.close?.(localName(name))
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

function byLocalName(attributes: Readonly<Record<string, string>>, wanted: string): string | undefined {
  for (const name in attributes) if (localName(name) === wanted) return attributes[name]
  return undefined
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
