import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordsFrom } from './dns.ts'
import { EmailSettings } from './manifest.ts'
import { type NameServer, openNameServer } from './testing/name-server.ts'

const long = `v=DKIM1; k=rsa; p=${'A'.repeat(380)}`
let names: NameServer
beforeAll(async () => {
  names = await openNameServer({
    'one._domainkey.kovac.test': long,
    '_dmarc.kovac.test': 'v=DMARC1; p=reject',
  })
})
afterAll(() => names.close())

it('is asked of the server that the settings name', async () => {
  const records = recordsFrom(names.address)
  expect((await records('one._domainkey.kovac.test', 'TXT')).map((each) => each.join(''))).toEqual([long])
  expect(await records('_dmarc.kovac.test', 'TXT')).toEqual([['v=DMARC1; p=reject']])
})

it('says that there is nothing where that server knows nothing, and asks for nothing but texts', async () => {
  const records = recordsFrom(names.address)
  await expect(records('_dmarc.evil.test', 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(records('_dmarc.kovac.test', 'A')).rejects.toMatchObject({ code: 'ENODATA' })
})

it.each(['9.9.9.9', '9.9.9.9:5353', '[2620:fe::fe]', '[2620:fe::fe]:53'])('is at %s', (dns) => {
  expect(EmailSettings.shape.dns.safeParse(dns).success).toBe(true)
})

it.each(['dns.example.org', '9.9.9.9:0', '9.9.9.9:70000', '2620:fe::fe', '[9.9.9.9]', 'https://9.9.9.9', ''])(
  'is not at %s',
  (dns) => {
    expect(EmailSettings.shape.dns.safeParse(dns).success).toBe(false)
  },
)
