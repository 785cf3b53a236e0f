import { describe, expect, test } from 'vitest'
import { MailAccount, mailDestinations } from './api-mail.ts'
import { oauthDestination } from './api-oauth.ts'

const server = (port: number) => ({ host: 'mail.example.org', port, security: 'tls' as const })
const password = {
  name: 'work',
  address: 'me@example.org',
  displayName: '',
  user: 'me@example.org',
  imap: server(993),
  smtp: server(465),
  secret: 'mail.work',
}
const oauth = {
  clientId: 'mine',
  authorizationUrl: 'https://login.example.org/authorize',
  tokenUrl: 'https://login.example.org/token',
  deviceUrl: null,
  scopes: ['mail'],
  redirectHost: '127.0.0.1' as const,
  clientSecret: null,
}
const isSound = (account: unknown) => MailAccount.safeParse(account).success

describe('an e-mail account', () => {
  test('names the secret of its own kind and name, and no other', () => {
    expect(isSound(password)).toBe(true)
    expect(isSound({ ...password, oauth, secret: 'mail-oauth.work' })).toBe(true)
    // A refresh token must never be sent as a password, nor another account be opened.
    expect(isSound({ ...password, secret: 'mail-oauth.work' })).toBe(false)
    expect(isSound({ ...password, oauth })).toBe(false)
    expect(isSound({ ...password, secret: 'mail.home' })).toBe(false)
    const withSecret = { ...oauth, clientSecret: 'mail-client.home' }
    expect(isSound({ ...password, oauth: withSecret, secret: 'mail-oauth.work' })).toBe(false)
  })

  test('has the place of its tokens among the places that open it', () => {
    expect(mailDestinations({ ...password, oauth }).map(({ host, port }) => `${host}:${port}`)).toEqual([
      'mail.example.org:993',
      'mail.example.org:465',
      'login.example.org:443',
    ])
  })
})

describe('an address of OAuth2', () => {
  test.each([
    'http://login.example.org/token',
    'https://me:pw@login.example.org/token',
    'https://login.example.org/token#x',
    'ftp://login.example.org/token',
    'login.example.org',
  ])('%s is refused', (address) => expect(oauthDestination(address)).toBeUndefined())

  test('without TLS is on this computer', () => {
    expect(oauthDestination('http://127.0.0.1:9000/token')).toEqual({
      scheme: 'http',
      host: '127.0.0.1',
      port: 9_000,
    })
  })
})
