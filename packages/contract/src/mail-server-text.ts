/** Owns how a person writes a mail server: `imap.example.org`, or with a port, `mail.example.org:143`. */
import { type MailSecurity, MailServer } from './api-mail.ts'
import { isThisComputer } from './this-computer.ts'

const usualPorts = { imap: { tls: 993, starttls: 143 }, smtp: { tls: 465, starttls: 587 } } as const

/** `unencrypted` where it is not this computer and could be read on the way; `unclear` where it is not one server. */
export type MailServerProblem = 'unclear' | 'unencrypted'

/** Without a wish the port says how the connection is secured. */
export function mailServerIn(
  written: string,
  kind: keyof typeof usualPorts,
  wished?: MailSecurity,
): MailServer | MailServerProblem {
  const [, host = '', given] = /^(\[[^\]]+\]|[^:\s]+)(?::(\d{1,5}))?$/.exec(written.trim()) ?? []
  const usual = usualPorts[kind]
  const port = given === undefined ? usual[wished === 'starttls' ? 'starttls' : 'tls'] : Number(given)
  const security = wished ?? (port === usual.starttls ? 'starttls' : 'tls')
  const name = host.replaceAll(/^\[|\]$/g, '').toLowerCase()
  if (name !== '' && security === 'none' && !isThisComputer(name)) return 'unencrypted'
  const server = MailServer.safeParse({ host: name, port, security })
  return server.success ? server.data : 'unclear'
}

/** As `mailServerIn` reads it, and its port always. */
export function mailServerText({ host, port }: MailServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
