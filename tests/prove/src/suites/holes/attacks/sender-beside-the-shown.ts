/** The From line shows a name without an address, or somebody of another domain, beside the address that is proven. */
import type { Attack } from '../attack.ts'
import { openReceivedLetters } from '../received-letters.ts'

export const attack: Attack = {
  name: 'sender-beside-the-shown',
  promise:
    'A sender is proven only where everybody who is shown as the sender is of the domain that vouches.',
  mutant: 'anybody-shown-is-proven',
  async run(stage) {
    const { signed, received } = await openReceivedLetters(stage)
    const from = async (line: string) =>
      received(await signed([`From: ${line}`, 'To: me@home.test', 'Subject: News', '', 'Please read.']))
    const honest = await from('Ana <ana@evil.test>')
    const tried = await Promise.all(['Your Bank, ana@evil.test', '"ana@kovac.test"@evil.test'].map(from))
    return {
      open: tried.some(({ sender }) => sender.proven),
      control: honest.sender.proven && tried.every(({ sender }) => sender.domain === 'evil.test'),
      saw: tried.map(({ mail, sender }) => `${JSON.stringify(mail.from)}: ${sender.proven}`).join('; '),
    }
  },
}
