import { describe, expect, it } from 'vitest'
import { readLetter } from './letter.ts'
import type { PlacingField } from './sender-proof.ts'
import { readThread, threadName } from './thread.ts'

const all: readonly PlacingField[] = ['message-id', 'in-reply-to', 'references']

async function threadOf(
  lines: Readonly<Record<string, string>>,
  signed: readonly PlacingField[] = all,
): Promise<string> {
  const head = Object.entries({ From: 'ana@kovac.test', Subject: 'The invoice', ...lines })
  const raw = `${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\nYes.`
  const letter = await readLetter(new TextEncoder().encode(raw))
  if (!letter) throw new Error('It names no writer.')
  return threadName(letter, { id: 'hash', signed })
}

const begun = '<1@kovac.test> The invoice'

describe('a thread of e-mails', () => {
  it.each([
    ['begins it', { 'Message-ID': '<1@kovac.test>' }],
    [
      'hands the whole line on',
      { 'In-Reply-To': '<2@home.test>', References: '<1@kovac.test>\r\n <2@home.test>' },
    ],
    ['names the last one only', { 'In-Reply-To': '<1@kovac.test>' }],
    ['says something beside it', { 'In-Reply-To': 'Message of Mon, 2 Nov <1@kovac.test> (yours)' }],
    ['runs the ids together', { References: '<1@kovac.test><2@home.test>' }],
  ])('is the same for what %s', async (_, lines) => {
    expect(await threadOf({ 'Message-ID': '<3@kovac.test>', ...lines })).toBe(begun)
  })

  it.each([
    'Re: The invoice',
    'AW: Re: The invoice',
    'R: The invoice',
    'Re[2]: The invoice',
    '回复：The invoice',
    '[EXTERNAL] Re: The invoice',
    'Re: [EXTERNAL] Re: The invoice',
  ])('is the same under %s', async (Subject) => {
    expect(await threadOf({ References: '<1@kovac.test>', Subject })).toBe(begun)
  })

  it('is the same where the subject is longer than that of an answer', async () => {
    const Subject = `${'🧾'.repeat(80)} and more`
    const name = await threadOf({ 'Message-ID': '<1@kovac.test>', Subject })
    const answer = `Re: ${readThread(name).subject}`
    expect(await threadOf({ References: '<1@kovac.test>', Subject: answer })).toBe(name)
  })

  it.each([
    ['has no name', {}, all, '<>hash The invoice'],
    ['has a name that is none', { 'Message-ID': 'eve', References: 'x y' }, all, '<>hash The invoice'],
    [
      'has a name that nobody signed',
      { 'Message-ID': '<1@kovac.test>' },
      [],
      '<1@kovac.test>hash The invoice',
    ],
    [
      'answers by a line that nobody signed',
      { 'Message-ID': '<5@kovac.test>', References: '<1@kovac.test>' },
      ['message-id', 'in-reply-to'],
      '<5@kovac.test> The invoice',
    ],
    [
      'answers by another line that nobody signed',
      { 'Message-ID': '<5@kovac.test>', 'In-Reply-To': '<1@kovac.test>' },
      ['message-id', 'references'],
      '<5@kovac.test> The invoice',
    ],
    [
      'is about something else',
      { References: '<1@kovac.test>', Subject: 'Re: Lunch' },
      all,
      '<1@kovac.test> Lunch',
    ],
    ['is of a list', { References: '<1@kovac.test>', Subject: '[list] x' }, all, '<1@kovac.test> [list] x'],
  ] as const)('is another where it %s', async (_, lines, signed, name) => {
    expect(await threadOf(lines, signed)).toBe(name)
  })

  it('holds what an answer needs to stand in it', () => {
    const letter = { answers: null, messageId: '<1@kovac.test>', subject: 'Re: sv: The invoice' }
    const stands = { answers: '<1@kovac.test>', subject: 'The invoice' }
    expect(readThread(threadName(letter, { id: 'hash', signed: all }))).toEqual(stands)
    expect(readThread(threadName(letter, { id: 'hash', signed: [] }))).toEqual(stands)
  })
})
