import { describe, expect, it } from 'vitest'
import { readLetter } from './letter.ts'
import { readThread, threadName } from './thread.ts'

const longRoot = `<${'a'.repeat(300)}@kovac.test>`

async function threadOf(lines: Readonly<Record<string, string>>): Promise<string> {
  const head = Object.entries({ From: 'ana@kovac.test', Subject: 'The invoice', ...lines })
  const raw = `${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\nYes.`
  const letter = await readLetter(new TextEncoder().encode(raw))
  if (!letter) throw new Error('It names no writer.')
  return threadName(letter)
}

describe('a thread of e-mails', () => {
  it('is the same for what begins it and for all that answers it', async () => {
    const names = await Promise.all([
      threadOf({ 'Message-ID': '<1@kovac.test>' }),
      threadOf({
        'Message-ID': '<3@kovac.test>',
        'In-Reply-To': '<2@home.test>',
        References: '<1@kovac.test>\r\n <2@home.test>',
        Subject: 'Re: The invoice',
      }),
      threadOf({
        'Message-ID': '<4@kovac.test>',
        'In-Reply-To': '<1@kovac.test>',
        Subject: 'AW: Re: The invoice',
      }),
    ])
    expect(new Set(names)).toEqual(new Set(['<1@kovac.test> The invoice']))
  })

  it.each([
    ['has no name', {}, '<> The invoice'],
    ['has a name that is none', { 'Message-ID': 'eve', References: 'x y' }, '<> The invoice'],
    [
      'answers what is no name',
      { 'Message-ID': '<5@kovac.test>', References: longRoot },
      '<5@kovac.test> The invoice',
    ],
    [
      'is about something else',
      { References: '<1@kovac.test>', Subject: 'Re: Lunch' },
      '<1@kovac.test> Lunch',
    ],
  ])('is another where it %s', async (_, lines, name) => {
    expect(await threadOf(lines)).toBe(name)
  })

  it('holds what an answer needs to stand in it', () => {
    const name = threadName({ root: '<1@kovac.test>', subject: 'Re: sv: The invoice' })
    expect(readThread(name)).toEqual({ answers: '<1@kovac.test>', subject: 'The invoice' })
  })
})
