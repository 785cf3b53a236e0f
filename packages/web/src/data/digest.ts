/** Owns the hashes that a browser computes for itself, so that it seals what it read and not what it was told. */

export async function sha256(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

export async function sha256Hex(text: string): Promise<string> {
  return hex(await sha256(text))
}

export function hex(bytes: Uint8Array): string {
  return bytes.toHex?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function base64Url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (character) => character.charCodeAt(0))
}

/** The SHA-256 of a public key, hex; the key is its raw bytes, base64. */
export async function fingerprintOf(key: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOfBase64Url(key))))
}
