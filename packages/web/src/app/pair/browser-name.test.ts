import { expect, test } from 'vitest'
import { browserName } from './browser-name.ts'

test('names the usual browsers', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'
  expect(browserName(`${mac} Chrome/140.0 Safari/537.36`)).toBe('Chrome on Mac')
  expect(browserName(`${mac} Chrome/140.0 Safari/537.36 Edg/140.0`)).toBe('Edge on Mac')
  expect(browserName(`${mac} Version/19 Safari/605.1`)).toBe('Safari on Mac')
  expect(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0')).toBe(
    'Firefox on Linux',
  )
})

test('has a name for one that it does not know', () => {
  expect(browserName('curl/9')).toBe('Browser on this computer')
})
