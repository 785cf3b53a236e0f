import { describe, expect, it } from 'vitest'
import { credentialAt } from './credentials.ts'

const at = (path: string, home = '/home/ana') => credentialAt(path, home)

describe('credentials of the host', () => {
  it.each([
    '/home/ana/.ssh/id_ed25519',
    '/home/ana/.ssh',
    '/home/ben/.aws/credentials',
    '/Users/ana/Library/Application Support/Google/Chrome/Default/Cookies',
    '/home/ana/.mozilla/firefox/x.default/logins.json',
    '/home/ana/.config/gcloud/access_tokens.db',
    '/home/ana/.SSH/config',
    '/home/ana/.bash_history',
    '/home/ana/keys.kdbx',
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/ssh/ssh_host_ed25519_key',
    '/private/etc/sudoers',
    '/proc/1/environ',
    '/root/anything',
    '/srv/app/.env',
    '/srv/tls/server.key',
    '/mnt/backup/ana/.aws/credentials',
    '/srv/old/.ssh/config',
    '/home/ana/infra/terraform.tfstate',
    '/home/ana/.config/Code/User/globalStorage/state.vscdb',
    '/var/lib/tailscale/tailscaled.state',
  ])('knows %s', (path) => expect(at(path)).not.toBeNull())

  it.each([
    '/home/ana/notes.txt',
    '/etc/hostname',
    '/home/ana/.config/other',
    '/srv/ssh/readme',
    '/usr/share/x',
  ])('leaves %s alone', (path) => expect(at(path)).toBeNull())

  it('takes the home of root for a home where it is the own one', () => {
    expect(at('/root/notes.txt', '/root')).toBeNull()
    expect(at('/root/.ssh/id_rsa', '/root')).not.toBeNull()
  })
})
