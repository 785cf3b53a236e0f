import { expect, test } from 'vitest'
import { base64Url, bytesOfBase64Url, sha256Hex } from './digest.ts'

test('the hash of a text is that of its UTF-8 bytes', async () => {
  expect(await sha256Hex('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f')
})

test('bytes come back from base64url as they were', () => {
  const bytes = Uint8Array.from([0, 255, 62, 63, 250])
  expect(base64Url(bytes)).not.toMatch(/[+/=]/)
  expect(bytesOfBase64Url(base64Url(bytes))).toEqual(bytes)
})
