/** Owns hashes, ids and encodings of text. Runs inside the machine as source text. */
import type { Host } from './globals.ts'

export function encoding(host: Host): object {
  const bytesOf = (text: unknown) =>
    encodeURIComponent(String(text)).replace(/%([0-9A-F]{2})/g, (_, pair: string) =>
      String.fromCharCode(Number.parseInt(pair, 16)),
    )
  const hexOf = (bytes: string) =>
    Array.from(bytes, (each) => each.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  const textOf = (hex: string) => decodeURIComponent(hex.replace(/../g, '%$&'))
  return {
    hash(text: unknown, algorithm: unknown = 'sha256') {
      const found = host.hash(String(algorithm).toLowerCase().replace('-', ''), String(text))
      if (found === undefined) throw new RangeError(`There is no hash ${String(algorithm)}.`)
      return found
    },
    uuid() {
      const digit = (of: string) => of[Math.floor(host.random() * of.length)] ?? '0'
      return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) =>
        digit(place === 'x' ? '0123456789abcdef' : '89ab'),
      )
    },
    base64Encode: (text: unknown) => btoa(bytesOf(text)),
    base64Decode: (text: unknown) => textOf(hexOf(atob(String(text)))),
    urlEncode: (text: unknown) => encodeURIComponent(String(text)),
    urlDecode: (text: unknown) => decodeURIComponent(String(text)),
    hexEncode: (text: unknown) => hexOf(bytesOf(text)),
    hexDecode(text: unknown) {
      if (!/^(?:[0-9a-f]{2})*$/i.test(String(text))) throw new RangeError('This is not hexadecimal.')
      return textOf(String(text))
    },
  }
}
