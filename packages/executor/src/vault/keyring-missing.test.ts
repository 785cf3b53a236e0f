import { expect, test } from 'vitest'
import { keyringIdentity } from './keyring.ts'

// In a file of its own: a process that has once looked for the bus does not look again.
process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus'

test.runIf(process.platform === 'linux')(
  'a host without a keyring is told why it cannot be used, and what to do',
  async () => {
    const keyring = keyringIdentity({ account: 'test' })
    expect(await keyring.probe()).toContain('/nonexistent/bus')
    const reading = { code: 'config_invalid', next: expect.stringContaining('Unlock the keyring') }
    await expect(keyring.read()).rejects.toMatchObject(reading)
    await expect(keyring.write('AGE-SECRET-KEY-1X')).rejects.toMatchObject(reading)
  },
)
