import { expect, test } from 'vitest'
import { isPublicHost } from './public-host.ts'

const hostOf = (address: string) => new URL(address).hostname

test.each([
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://fcm.googleapis.com/fcm/send/x',
  'https://web.push.apple.com./x',
  'https://8.8.8.8/x',
  'https://[2606:4700:4700::1111]/x',
])('%s is on the public internet', (address) => {
  expect(isPublicHost(hostOf(address))).toBe(true)
})

test.each([
  'https://localhost/x',
  'https://LOCALHOST./x',
  'https://a.localhost/x',
  'https://printer.local/x',
  'https://metadata.google.internal/x',
  'https://router.home.arpa/x',
  'https://intranet/x',
  'https://127.0.0.1/x',
  'https://0x7f.1/x',
  'https://10.1.2.3/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/x',
  'https://100.64.0.1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[fd00::1]/x',
  'https://[fe80::1]/x',
])('%s is not', (address) => {
  expect(isPublicHost(hostOf(address))).toBe(false)
})
