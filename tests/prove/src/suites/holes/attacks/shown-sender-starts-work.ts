/** A stranger’s own server signs an e-mail whose From line begins with somebody else, whose e-mails start work. */
import { openArrivingLetters } from '../arriving-letters.ts'
import type { Attack } from '../attack.ts'

/** A name and a comment so long that the address behind them is beyond what a look reads of a header. */
const comment = Array.from({ length: 250 }, () => 'x'.repeat(70)).join('\r\n ')
const asAnother = `ana@kovac.test\r\n (${comment})\r\n <eve@evil.test>`

export const attack: Attack = {
  name: 'shown-sender-starts-work',
  promise: 'An e-mail starts the work of a sender only where the domain that vouches is that sender’s.',
  mutant: 'any-proof-starts-work',
  async run(stage) {
    const { signed, deliver, look, end } = await openArrivingLetters(stage)
    const before = await end()
    const letter = (from: string) =>
      signed([
        `From: ${from}`,
        'To: me@home.test',
        'Subject: Pay this',
        `Date: ${new Date().toUTCString()}`,
        '',
        'Please pay.',
      ])
    await deliver([await letter('Eve <eve@evil.test>'), await letter(asAnother)])
    const proven = async (from: string) => {
      const looked = await look({ after: before, from })
      if (looked.kind === 'failed') throw new Error(looked.reason)
      return looked.arrivals.mails.map((mail) => mail.proven)
    }
    const asAna = await proven('ana@kovac.test')
    const asEve = await proven('eve@evil.test')
    return {
      open: asAna.includes(true),
      control: asEve.includes(true) && asAna.length === 1,
      saw: `as ana@kovac.test: ${asAna.join(', ')}; as eve@evil.test: ${asEve.join(', ')}`,
    }
  },
}
