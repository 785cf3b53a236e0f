/** Finds the key that an authenticator made in the data that it signed. Refuses data without one. */

export interface AttestedKey {
  /** The credential's id, base64url. */
  readonly credential: string
  /** The public key as COSE, base64. */
  readonly key: string
}

const headBytes = 37
const modelBytes = 16
const holdsKey = 0x40

/** From `AuthenticatorAttestationResponse.getAuthenticatorData()`. Undefined when there is no key in it. */
export function attestedKey(data: Uint8Array): AttestedKey | undefined {
  if (data.length < headBytes + modelBytes + 2 || ((data[32] ?? 0) & holdsKey) === 0) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const idStart = headBytes + modelBytes + 2
  const keyStart = idStart + view.getUint16(headBytes + modelBytes)
  const keyEnd = endOfItem(view, keyStart)
  if (keyEnd === undefined || keyEnd > data.length) return undefined
  return {
    credential: base64(data.subarray(idStart, keyStart))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', ''),
    key: base64(data.subarray(keyStart, keyEnd)),
  }
}

/** Where a CBOR item ends, for what a key is made of: numbers, byte and text strings, arrays and maps. */
function endOfItem(view: DataView, start: number): number | undefined {
  if (start >= view.byteLength) return undefined
  const kind = view.getUint8(start) >> 5
  const small = view.getUint8(start) & 0x1f
  const extra = small < 24 ? 0 : small < 27 ? 2 ** (small - 24) : undefined
  if (extra === undefined || start + 1 + extra > view.byteLength) return undefined
  const value = [small, view.getUint8, view.getUint16, undefined, view.getUint32][extra]
  const count = typeof value === 'function' ? value.call(view, start + 1) : (value ?? 0)
  const end = start + 1 + extra
  if (kind <= 1) return end
  if (kind <= 3) return end + count
  if (kind > 5) return undefined
  let at: number | undefined = end
  for (let item = 0; item < count * (kind - 3) && at !== undefined; item += 1) at = endOfItem(view, at)
  return at
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
