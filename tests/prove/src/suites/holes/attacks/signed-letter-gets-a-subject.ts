/** Somebody passes on an e-mail that its domain signed, with another subject on top and with where answers go. */
import type { Attack } from '../attack.ts'
import { openReceivedLetters } from '../received-letters.ts'

export const attack: Attack = {
  name: 'signed-letter-gets-a-subject',
  promise: 'A signature proves a sender only where it is under every line that a reader is shown.',
  mutant: 'unsigned-lines-are-signed',
  async run(stage) {
    const { signed, received } = await openReceivedLetters(stage)
    const head = [
      'From: Ana <ana@evil.test>',
      'To: me@home.test',
      'Subject: News',
      'Message-ID: <1@evil.test>',
    ]
    const letter = await signed([...head, '', 'Please read.'])
    const honest = await received(letter)
    const lines = ['Subject: Pay the invoice today', 'Reply-To: thief@kovac.test']
    const added = await Promise.all(lines.map((line) => received(`${line}\r\n${letter}`)))
    const [subject, reply] = added
    const isShown =
      subject?.mail.subject === 'Pay the invoice today' &&
      reply?.mail.replyTo[0]?.address === 'thief@kovac.test'
    return {
      open: added.some(({ sender }) => sender.proven),
      control: honest.sender.proven && isShown,
      saw: `proven as it was sent: ${honest.sender.proven}; with a line more: ${added.map(({ sender }) => sender.proven).join(', ')}`,
    }
  },
}
