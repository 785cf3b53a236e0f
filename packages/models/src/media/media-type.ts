/** Tells what bytes are from their beginning, and how such a file is named. Takes no provider's word for a picture. */
import type { PictureType } from '@countersign/contract'

export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  if (begins(bytes, 0, '\x89PNG')) return 'image/png'
  if (begins(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (begins(bytes, 0, 'GIF8')) return 'image/gif'
  if (begins(bytes, 0, 'RIFF') && begins(bytes, 8, 'WEBP')) return 'image/webp'
  return null
}

/** Providers go by the ending. */
export function endingOfType(mediaType: string): string {
  return endings[mediaType] ?? 'bin'
}

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/webm': 'webm',
}

function begins(bytes: Uint8Array, at: number, letters: string): boolean {
  return Buffer.from(bytes.subarray(at, at + letters.length)).toString('latin1') === letters
}
