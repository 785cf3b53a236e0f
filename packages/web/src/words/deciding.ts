/** What a person is told about a decision that was made. */
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('deciding', {
  approved: (ledger: number) => `Approved. Ledger #${ledger}.`,
  denied: (ledger: number) => `Denied. Ledger #${ledger}.`,
  refusal: {
    written: (version: number) => `From now on this is refused without asking (policy version ${version}).`,
    failed: (problem: string) => `The rule was not written: ${problem}`,
  },
  already: {
    pending: 'This request is still waiting.',
    approved: 'This request was already approved.',
    denied: 'This request was already denied.',
    expired: 'This request has expired.',
    withdrawn: 'This request was withdrawn.',
    superseded: 'This request was replaced by a newer one.',
  },
  alreadyBy: (sentence: string, who: string) => `${sentence} Decided by ${who}.`,
  changed: (problem: string) =>
    `Not approved, because ${problem}. Reload the page and read the request again.`,
  cancelled: 'Not approved: the passkey was not used.',
  impossible: (reason: string, next: string) => `Not approved: ${reason} ${next}`,
  refused: (message: string, next: string) => `${message} ${next}`,
  inline: { label: (code: string) => `Decision ${code}`, open: 'All details' },
  unconfirmed: 'The gateway did not confirm the decision. The request is still pending.',
  noPasskey: 'this needs a passkey, and none is registered.',
  addPasskey: 'Add one on the Devices page.',
  otherBrowser: 'Use a browser that has your passkey.',
  passkey: {
    insecure: (origin: string) => `Passkeys work only on https or localhost, and this page is ${origin}.`,
    address: (port: string) =>
      `Passkeys need a host name, not an IP address. Open http://localhost:${port} instead.`,
    missing: 'This browser does not support passkeys.',
    exists: 'This authenticator already has a passkey for Countersign.',
    failed: (reason: string) => `The authenticator could not be used: ${reason}`,
  },
  direct: {
    undo: 'Undo',
    undone: 'Undone.',
    waits: 'This waits for your approval.',
    review: 'Review',
    tooLong: 'This takes long. Look at Activity to see what came of it.',
  },
})
