import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { composeMail } from './compose.ts'
import { threadName } from './thread.ts'

const us = { address: 'me@home.test', name: 'Countersign' }
const message = (change: Partial<OutboundMessage>): OutboundMessage => ({
  key: 'key/1',
  chat: 'ana@kovac.test',
  thread: null,
  text: 'hello',
  format: 'plain',
  buttons: [],
  file: null,
  ...change,
})

async function composed(change: Partial<OutboundMessage>) {
  const { raw, messageId } = await composeMail(message(change), us)
  return { raw: raw.toString(), messageId, mail: await PostalMime.parse(raw) }
}

describe('an e-mail of ours', () => {
  it('is called the same for every try, and otherwise for every other message', async () => {
    const { messageId, mail } = await composed({})
    expect(mail.messageId).toBe(messageId)
    expect((await composed({ text: 'other' })).messageId).toBe(messageId)
    expect((await composed({ key: 'key/2' })).messageId).not.toBe(messageId)
    expect((await composed({ chat: 'ben@kovac.test' })).messageId).not.toBe(messageId)
  })

  it('has the first line of what asks or tells as its subject', async () => {
    const text = '[Approval K7Q2 · T3] Send 1 e-mail to Ana — by 16:00\nTo ana@kovac.test'
    const { mail } = await composed({ text })
    expect(mail.subject).toBe('[Approval K7Q2 · T3] Send 1 e-mail to Ana — by 16:00')
    expect(mail.text?.trim()).toBe(text)
  })

  it('answers in the thread', async () => {
    const proof = { id: 'hash', signed: ['message-id'] as const }
    const letter = { answers: null, messageId: '<1@kovac.test>', subject: 'Re: The invoice' }
    const thread = threadName(letter, proof)
    const { mail } = await composed({ thread })
    expect(mail).toMatchObject({
      subject: 'Re: The invoice',
      inReplyTo: '<1@kovac.test>',
      references: '<1@kovac.test>',
    })
    const unnamed = await composed({
      thread: threadName({ ...letter, messageId: null, subject: 'x' }, proof),
    })
    expect(unnamed.mail).toMatchObject({ subject: 'Re: x' })
    expect(unnamed.mail.inReplyTo).toBeUndefined()
  })

  it('says that a program wrote it, and goes to one person', async () => {
    const { mail, raw } = await composed({})
    expect(raw).toMatch(/^Auto-Submitted: auto-replied\r$/m)
    expect(mail.to).toEqual([{ name: '', address: 'ana@kovac.test' }])
    expect(mail.cc).toBeUndefined()
    expect(mail.replyTo).toBeUndefined()
  })

  it.each([
    { text: 'one\r\nBcc: eve@evil.test\r\n\r\ntwo' },
    { text: '\r\nBcc: eve@evil.test' },
    { thread: '<1@x.test> a\r\nBcc: eve@evil.test' },
    { thread: '<1@x.test\r\nBcc:eve@evil.test> a' },
    { thread: '<1@x.test>\u2028Bcc: eve@evil.test' },
    { thread: 'a\nBcc: eve@evil.test' },
    { key: 'k\r\nBcc: eve@evil.test' },
    {
      file: {
        name: 'a"\r\nBcc: eve@evil.test',
        mediaType: 'text/plain\r\nBcc: eve@evil.test',
        bytes: new Uint8Array(3),
      },
    },
  ])('has no line in its head that somebody else wrote: %j', async (change) => {
    const { raw, mail } = await composed(change)
    const [head = ''] = raw.split('\r\n\r\n', 1)
    expect(head).not.toMatch(/^bcc:/im)
    expect(mail.bcc).toBeUndefined()
    for (const { headers } of [mail]) expect(headers.map(({ key }) => key)).not.toContain('bcc')
    expect(raw).not.toMatch(/^Bcc: eve@evil\.test\r\n(?:\r\n|[A-Z])/m)
  })

  it('shows words as words, and a link by where it leads', async () => {
    const text = '<script>x</script> & [bank](https://evil.example/?a=1&b="2") https://good.example/'
    const { mail } = await composed({ text, format: 'markdown' })
    expect(mail.html).not.toContain('<script>')
    for (const [, href = '', shown = ''] of mail.html?.matchAll(/<a href="([^"]*)">([^<]*)</g) ?? [])
      expect(shown).toBe(href)
    expect(mail.html).toContain('https://good.example/')
  })

  it('has the same words for who reads no HTML', async () => {
    const { mail } = await composed({
      text: '# Title\n\n- **one**\n- two\n\n```\ncode <x>\n```',
      format: 'markdown',
    })
    expect(mail.text?.trim()).toBe('Title\n\n- one\n- two\n\ncode <x>')
    expect(mail.html).toContain('<b>one</b>')
    expect(mail.html).toContain('code &lt;x&gt;')
  })
})
