import { describe, expect, it } from 'vitest'
import { readLetter } from './letter.ts'
import { isMachineMade } from './machine-made.ts'

async function madeBy(lines: string): Promise<boolean | undefined> {
  const from = /^From:/m.test(lines) ? '' : 'From: Ana <ana@kovac.test>\n'
  const raw = `${from}${lines}\nTo: me@home.test\nSubject: x\n\nhello\n`
  const letter = await readLetter(Buffer.from(raw))
  return letter && isMachineMade(letter, 'me@home.test')
}

describe('an e-mail that is answered by nobody', () => {
  it.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (rejected)',
    'Precedence: bulk',
    'Precedence: list',
    'List-Id: <x.test>',
    'List-Unsubscribe: <mailto:x@x.test>',
    'X-Auto-Response-Suppress: OOF, AutoReply',
    'X-Autoreply: yes',
    'Return-Path: <>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    'From: Mail Delivery System <MAILER-DAEMON@home.test>',
    'From: no-reply@kovac.test',
    'From: donotreply@kovac.test',
    'From: Me <ME@home.test>',
  ])('is one with %s', async (lines) => {
    expect(await madeBy(lines)).toBe(true)
  })

  it.each([
    'Auto-Submitted: no',
    'X-Auto-Response-Suppress: None',
    'Return-Path: <ana@kovac.test>',
    'Precedence: normal',
    'X-Mailer: Thunderbird',
    'From: "no-reply" <ana@kovac.test>',
    'Content-Type: text/plain',
  ])('is none with %s', async (lines) => {
    expect(await madeBy(lines)).toBe(false)
  })
})
