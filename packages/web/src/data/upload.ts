/** Owns what a file becomes on its way to the gateway, and how large it may be. */

/** A request carries a mebibyte at most, and base64 makes four bytes of three. */
export const largestUpload = 700_000

export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}
