/** Owns what kind of thing an answer is, and how its bytes become text. */
import type { WebResponse } from '../capabilities.ts'

export type ContentKind = 'html' | 'text' | 'json' | 'other'

export interface Content {
  readonly kind: ContentKind
  /** The media type without its parameters; empty if none was said. */
  readonly type: string
  readonly charset: string | undefined
}

export function contentTypeOf({ headers, body }: WebResponse): Content {
  const said = headerOf(headers, 'content-type')
  const type = said.split(';')[0]?.trim().toLowerCase() ?? ''
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(said)?.[1]
  return { kind: type === '' ? guess(body) : kindOf(type), type, charset }
}

/** Bytes that fit no charset become replacement characters, never an error. */
export function decoded({ body }: WebResponse, { kind, charset }: Content): string {
  const hint = charset ?? (kind === 'html' ? charsetInside(body) : undefined)
  return decoderFor(hint).decode(body)
}

export function headerOf(headers: WebResponse['headers'], name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? ''
}

function kindOf(type: string): ContentKind {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  return type.startsWith('text/') || plain.has(type) || type.endsWith('+xml') ? 'text' : 'other'
}

const plain = new Set([
  'application/xml',
  'application/javascript',
  'application/x-ndjson',
  'application/yaml',
  'application/toml',
])

function guess(body: Uint8Array): ContentKind {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 512))
  if (/^\s*<(!doctype html|html)/i.test(start)) return 'html'
  return start.includes('\0') || start.startsWith('%PDF') ? 'other' : 'text'
}

function charsetInside(body: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 2048))
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1]
}

function decoderFor(charset: string | undefined) {
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    // A charset that nobody knows is one that nobody can honour.
    return new TextDecoder('utf-8')
  }
}
