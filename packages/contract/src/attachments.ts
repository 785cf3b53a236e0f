/** Owns how a file goes with a message, the same on every surface: how large it may be, and under which name it is put. */

/** In bytes. A file that is larger than one request carries comes in parts. */
export const largestUpload = 25_000_000

/** In bytes. A request carries a mebibyte at most, and base64 makes four bytes of three. */
export const largestUploadPart = 700_000

/** A name in the workspace that nothing else has; `key` is random. */
export function attachmentPath(name: string, key: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w{1,10})?$/s.exec(name) ?? []
  const plain = stem.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return `attachments/${(plain === '' ? 'file' : plain).slice(0, 60)}-${key.slice(0, 6)}${ending}`
}
