/**
 * Owns the six words that two screens compare before a device is let in. Sixty-six bits of a hash, so nobody finds
 * another key with the same words. Loaded only where words are shown: the list is long.
 */
import { wordlist } from '@scure/bip39/wordlists/english.js'

export const pairingWordCount = 6

const bitsPerWord = 11

/** From the SHA-256 of the pairing text. Refuses anything that is not 32 bytes long. */
export function pairingWords(hash: Uint8Array): string[] {
  if (hash.length !== 32) throw new RangeError('the words are made from the 32 bytes of a SHA-256')
  return Array.from({ length: pairingWordCount }, (_, index) => {
    const word = wordlist[bitsAt(hash, index * bitsPerWord)]
    if (word === undefined) throw new RangeError('the list of words is too short')
    return word
  })
}

function bitsAt(bytes: Uint8Array, start: number): number {
  let value = 0
  for (let bit = start; bit < start + bitsPerWord; bit += 1)
    value = value * 2 + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
  return value
}
