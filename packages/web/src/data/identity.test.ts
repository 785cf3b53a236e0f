import { idFrom, pairingText } from '@countersign/contract'
import { expect, test } from 'vitest'
import { makeKey, signText, verifyText } from './identity.ts'

const gateway = idFrom('gw', '0198f3a2-0000-7000-8000-000000000001')

test('a key remembers the gateway that it was made for, by its id and by its key', async () => {
  const made = await makeKey({ gateway, key: 'the key of the gateway' })
  expect(made).toMatchObject({ gateway, gatewayKey: 'the key of the gateway' })
})

test('a key signs, and cannot be read out', async () => {
  const made = await makeKey({ gateway, key: 'k' })
  expect(await signText(made, pairingText('k', made.publicKey, 'n'))).toMatch(/^[\w+/]{86}==$/)
  await expect(crypto.subtle.exportKey('pkcs8', made.pair.privateKey)).rejects.toThrow()
})

test('a signature is known by its key and its text', async () => {
  const made = await makeKey({ gateway, key: 'k' })
  const signature = await signText(made, 'text')
  expect(await verifyText(made.publicKey, 'text', signature)).toBe(true)
  expect(await verifyText(made.publicKey, 'texts', signature)).toBe(false)
  expect(await verifyText((await makeKey({ gateway, key: 'k' })).publicKey, 'text', signature)).toBe(false)
  expect(await verifyText(made.publicKey, 'text', '')).toBe(false)
})
