import { expect, test } from 'vitest'
import { mailServerIn, mailServerText } from './mail-server-text.ts'

test.each([
  ['imap.example.org', 'imap', undefined, { host: 'imap.example.org', port: 993, security: 'tls' }],
  ['imap.example.org:143', 'imap', undefined, { host: 'imap.example.org', port: 143, security: 'starttls' }],
  [' SMTP.Example.org ', 'smtp', undefined, { host: 'smtp.example.org', port: 465, security: 'tls' }],
  ['smtp.example.org', 'smtp', 'starttls', { host: 'smtp.example.org', port: 587, security: 'starttls' }],
  ['127.0.0.1:1143', 'imap', 'none', { host: '127.0.0.1', port: 1143, security: 'none' }],
  ['imap.example.org', 'imap', 'none', 'unencrypted'],
  ['', 'imap', undefined, 'unclear'],
  ['imap.example.org smtp.example.org', 'imap', undefined, 'unclear'],
  ['imaps://imap.example.org', 'imap', undefined, 'unclear'],
  ['imap.example.org:0', 'imap', undefined, 'unclear'],
  ['imap.example.org:99999', 'imap', undefined, 'unclear'],
] as const)('reads %j for %s (%s)', (written, kind, wished, expected) => {
  expect(mailServerIn(written, kind, wished)).toEqual(expected)
})

test('writes what it reads', () => {
  for (const written of ['imap.example.org:993', '[::1]:1143', '127.0.0.1:143']) {
    const server = mailServerIn(written, 'imap')
    expect(typeof server === 'string' ? server : mailServerText(server)).toBe(written)
  }
})
