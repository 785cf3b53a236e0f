/**
 * Real mail servers for tests: dovecot and postfix, started as our own children with their own folders on random ports
 * of this computer. Fails where one of them is not installed.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailAccount } from '@countersign/contract'

export interface MailServers {
  readonly ports: { readonly imap: number; readonly imaps: number; readonly smtp: number }
  /** The certificate of the servers, which is its own authority. */
  readonly ca: string
  readonly password: string
  account(name: string, user: MailUser, change?: Partial<PasswordAccount>): PasswordAccount
  /** Puts an e-mail straight into the inbox of a user, as a stranger's server would. */
  deliver(user: MailUser, raw: string): Promise<void>
  /** The server forgets how it numbered the inbox, as after a restore from elsewhere: UIDVALIDITY changes. */
  renumber(user: MailUser): void
  /** The files of what lies in the inbox of a user, whatever a server says about it. */
  inbox(user: MailUser): string[]
  log(): string
  close(): Promise<void>
}

export type PasswordAccount = Omit<MailAccount, 'oauth'>

export type MailUser = 'me@home.test' | 'ana@kovac.test' | 'ben@kovac.test'

const users: readonly MailUser[] = ['me@home.test', 'ana@kovac.test', 'ben@kovac.test']
const password = 'correct-horse-9'

export interface MailServerOptions {
  /** Where dovecot asks whether a token holds; without it there are passwords only. */
  readonly introspectionUrl?: string
}

export async function startMailServers(options: MailServerOptions = {}): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'))
  chmodSync(folder, 0o755)
  const [imap, imaps, smtp] = await freePorts(3)
  if (imap === undefined || imaps === undefined || smtp === undefined) throw new Error('no free port')
  const ports = { imap, imaps, smtp }
  const owner = ownerOf('postfix')
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  chownSync(mail, owner.uid, owner.gid)
  writeCertificate(folder)
  const dovecot = startDovecot(folder, ports, owner, tokensBy(folder, options))
  const postfix = startPostfix(folder, ports, owner)
  const log = () => ['dovecot.log', 'postfix/log'].map((name) => textOf(join(folder, name))).join('\n')
  const close = async () => {
    // Its daemon leaves the group of the child that started it.
    spawnSync('postfix', ['-c', join(folder, 'postfix/conf'), 'abort'], { stdio: 'ignore' })
    await Promise.all([stopped(dovecot), stopped(postfix)])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    for (const port of Object.values(ports)) await listening(port, log)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ports,
    ca: readFileSync(join(folder, 'cert.pem'), 'utf8'),
    password,
    account: (name, user, change = {}) => ({
      name,
      address: user,
      displayName: '',
      user,
      imap: { host: 'localhost', port: imap, security: 'none' },
      smtp: { host: 'localhost', port: smtp, security: 'none' },
      secret: `mail.${name}`,
      ...change,
    }),
    deliver: (user, raw) => saySmtp(smtp, user, raw),
    renumber(user) {
      const box = join(mail, user.split('@')[0] ?? '')
      for (const name of readdirSync(box))
        if (/^dovecot[.-](?:uidlist|index)/.test(name)) rmSync(join(box, name))
    },
    inbox(user) {
      const box = join(mail, user.split('@')[0] ?? '')
      return ['new', 'cur'].flatMap((name) => {
        const part = join(box, name)
        return existsSync(part) ? readdirSync(part).map((file) => join(part, file)) : []
      })
    },
    log,
    close,
  }
}

type Ports = MailServers['ports']
interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The part of dovecot's configuration that takes tokens, which postfix then takes as well. */
function tokensBy(folder: string, { introspectionUrl }: MailServerOptions): string {
  if (introspectionUrl === undefined) return ''
  const file = join(folder, 'oauth2.conf')
  writeFileSync(
    file,
    `introspection_mode = post
introspection_url = ${introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
`,
  )
  return `auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${file}
}
`
}

function startDovecot(folder: string, ports: Ports, { uid, gid }: Owner, tokens: string): ChildProcess {
  const run = join(folder, 'run')
  mkdirSync(run)
  writeFileSync(join(folder, 'users'), users.map((user) => `${user}:{PLAIN}${password}\n`).join(''))
  const special = ['Sent', 'Trash', 'Drafts']
    .map((name) => `  mailbox ${name} {\n    auto = create\n    special_use = \\${name}\n  }`)
    .join('\n')
  writeFileSync(
    join(folder, 'dovecot.conf'),
    `base_dir = ${run}
state_dir = ${join(folder, 'state')}
instance_name = ${folder}
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${join(folder, 'cert.pem')}
ssl_key = <${join(folder, 'key.pem')}
disable_plaintext_auth = no
auth_failure_delay = 0
log_path = ${join(folder, 'dovecot.log')}
first_valid_uid = 1
mail_location = maildir:${join(folder, 'mail')}/%n
${tokens}passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${join(folder, 'users')}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${join(folder, 'mail')}/%n
}
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service auth {
  unix_listener auth-client {
    mode = 0666
  }
}
namespace inbox {
  inbox = yes
  separator = /
${special}
}
`,
  )
  return spawn('dovecot', ['-c', join(folder, 'dovecot.conf'), '-F'], { stdio: 'ignore' })
}

function startPostfix(folder: string, ports: Ports, { uid, gid }: Owner): ChildProcess {
  const home = join(folder, 'postfix')
  for (const name of ['queue', 'data', 'conf']) mkdirSync(join(home, name), { recursive: true })
  chownSync(join(home, 'data'), uid, gid)
  const services =
    'rewrite=trivial-rewrite bounce defer=bounce trace=bounce verify proxymap smtp error retry=error discard anvil scache'
  writeFileSync(
    join(home, 'conf/master.cf'),
    [
      `127.0.0.1:${ports.smtp} inet n - n - - smtpd`,
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 300 1 qmgr',
      'pickup unix n - n 60 1 pickup',
      'virtual unix - n n - - virtual',
      'tlsmgr unix - - n 1000? 1 tlsmgr',
      'postlog unix-dgram n - n - 1 postlogd',
      ...services.split(' ').map((service) => {
        const [name = '', program = name] = service.split('=')
        return `${name} unix - - n - - ${program}`
      }),
      '',
    ].join('\n'),
  )
  const boxes = users.map((user) => `{ ${user} = ${user.split('@')[0]}/ }`).join(' ')
  writeFileSync(
    join(home, 'conf/main.cf'),
    `compatibility_level = 3.6
queue_directory = ${join(home, 'queue')}
data_directory = ${join(home, 'data')}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.home.test
mydestination =
virtual_mailbox_domains = home.test kovac.test
virtual_mailbox_base = ${join(folder, 'mail')}
virtual_mailbox_maps = inline:{ ${boxes} }
virtual_minimum_uid = 1
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${gid}
maillog_file = ${join(home, 'log')}
maillog_file_prefixes = ${tmpdir()}
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${join(folder, 'run/auth-client')}
smtpd_tls_security_level = may
smtpd_tls_chain_files = ${join(folder, 'key.pem')}, ${join(folder, 'cert.pem')}
message_size_limit = 50000000
`,
  )
  return spawn('postfix', ['-c', join(home, 'conf'), 'start-fg'], { stdio: 'ignore' })
}

function writeCertificate(folder: string): void {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files], { stdio: 'ignore' })
}

function ownerOf(user: string): Owner {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function listening(port: number, log: () => string): Promise<void> {
  for (let left = 300; left > 0; left -= 1) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (answers) return
    await sleep(100)
  }
  throw new Error(`No mail server listens on ${port}. Are dovecot-imapd and postfix installed?\n${log()}`)
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(5_000)])
}

/** As a server of strangers speaks: without signing in. */
async function saySmtp(port: number, to: MailUser, raw: string): Promise<void> {
  const socket = createConnection({ host: '127.0.0.1', port }).setEncoding('utf8')
  let heard = ''
  let wake: () => void = () => undefined
  socket.on('data', (text: string) => {
    heard += text
    wake()
  })
  const answer = async (code: string): Promise<void> => {
    for (let left = 600; left > 0; left -= 1) {
      const line = /^(\d{3}) .*\r\n/m.exec(heard)
      if (line) {
        heard = ''
        if (line[1] === code) return
        throw new Error(`expected ${code}, heard ${line[0]}`)
      }
      await Promise.race([sleep(100), new Promise<void>((resolve) => (wake = resolve))])
    }
    throw new Error('The server said nothing.')
  }
  const stuffed = raw.replaceAll(/\r?\n/g, '\r\n').replaceAll(/^\./gm, '..')
  const said: [string, string][] = [
    ['', '220'],
    ['EHLO stranger.test\r\n', '250'],
    ['MAIL FROM:<stranger@stranger.test>\r\n', '250'],
    [`RCPT TO:<${to}>\r\n`, '250'],
    ['DATA\r\n', '354'],
    [`${stuffed}\r\n.\r\n`, '250'],
    ['QUIT\r\n', '221'],
  ]
  for (const [line, code] of said) {
    if (line !== '') socket.write(line)
    await answer(code)
  }
  socket.destroy()
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-4_000)
  } catch {
    return ''
  }
}
