/** Tells what bytes are from their beginning. Refuses to take a provider's word for an image. */

export function imageTypeOf(bytes: Uint8Array): string | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (textAt(bytes, 0, 'GIF8')) return 'image/gif'
  if (textAt(bytes, 0, 'RIFF') && textAt(bytes, 8, 'WEBP')) return 'image/webp'
  if (textAt(bytes, 4, 'ftypavif')) return 'image/avif'
  return null
}

/** Sound without a head of its own is what was asked for; without a wish, providers send MP3. */
export function audioTypeOf(bytes: Uint8Array, format: string | undefined): string {
  if (textAt(bytes, 0, 'RIFF')) return 'audio/wav'
  if (textAt(bytes, 0, 'OggS')) return 'audio/ogg'
  if (textAt(bytes, 0, 'fLaC')) return 'audio/flac'
  if (textAt(bytes, 0, 'ID3')) return 'audio/mpeg'
  return formats[format ?? 'mp3'] ?? 'application/octet-stream'
}

const formats: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte)
}

function textAt(bytes: Uint8Array, at: number, text: string): boolean {
  return Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text
}
