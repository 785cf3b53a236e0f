import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyringIdentity } from './keyring.ts'
import { identityContract } from './testing/identity-contract.ts'
import { hasSecretService, type SecretService, startSecretService } from './testing/secret-service.ts'

let count = 0
const freshAccount = () => `test-${process.pid}-${count++}`

describe.runIf(hasSecretService)('with a Secret Service', () => {
  let service: SecretService
  let before: string | undefined
  beforeAll(async () => {
    service = await startSecretService()
    before = process.env['DBUS_SESSION_BUS_ADDRESS']
    process.env['DBUS_SESSION_BUS_ADDRESS'] = service.address
  })
  afterAll(async () => {
    restore(before)
    await service.stop()
  })

  identityContract('the keyring', () => {
    const account = freshAccount()
    return { open: () => keyringIdentity({ account }) }
  })

  test('can be used, and the probe leaves nothing behind', async () => {
    const keyring = keyringIdentity({ account: freshAccount() })
    expect(await keyring.probe()).toBeNull()
    expect(await keyring.read()).toBeNull()
    const { findCredentials } = await import('@napi-rs/keyring')
    expect(findCredentials('countersign').filter(({ account }) => account.includes('probe'))).toEqual([])
  })
})

function restore(address: string | undefined): void {
  if (address === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS']
  else process.env['DBUS_SESSION_BUS_ADDRESS'] = address
}
