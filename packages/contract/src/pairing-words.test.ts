import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pairingWords } from './pairing-words.ts'
import { pairingText } from './trust-statement.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

test('six words are the same on both screens, and others for another key or number', () => {
  const words = pairingWords(hash(pairingText('gateway', 'device', 'nonce')))
  expect(words).toHaveLength(6)
  expect(pairingWords(hash(pairingText('gateway', 'device', 'nonce')))).toEqual(words)
  for (const text of [
    pairingText('gatewaz', 'device', 'nonce'),
    pairingText('gateway', 'devicf', 'nonce'),
    pairingText('gateway', 'device', 'noncf'),
  ])
    expect(pairingWords(hash(text))).not.toEqual(words)
})

test('the words are the first 66 bits, eleven each', () => {
  expect(pairingWords(new Uint8Array(32))).toEqual(Array.from({ length: 6 }, () => 'abandon'))
  expect(pairingWords(new Uint8Array(32).fill(255))).toEqual(Array.from({ length: 6 }, () => 'zoo'))
  const one = new Uint8Array(32)
  one[1] = 0b0010_0000
  expect(pairingWords(one)[0]).toBe('ability')
  expect(() => pairingWords(new Uint8Array(31))).toThrow('32 bytes')
})
