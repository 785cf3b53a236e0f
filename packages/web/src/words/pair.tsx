/** What a browser is told that the gateway does not know yet. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('pair', {
  browser: 'Browser',
  thisComputer: 'this computer',
  nameOn: (browser: string, platform: string) => `${browser} on ${platform}`,
  title: 'Pair this browser',
  intro: (gateway: string) =>
    `${gateway} does not know this browser yet. The browser gets its own key; there is no password and no cookie.`,
  here: {
    title: 'On the computer running the gateway',
    text: 'Run “countersign open” in a terminal there. It opens a page that is paired right away.',
    phone: 'Run this in a terminal there and scan the picture that it shows.',
  },
  words: {
    title: 'With a device that is already paired',
    text: 'Both devices show six words. If they match, approve this browser on the other device.',
    show: 'Show six words',
  },
  passkey: {
    title: 'With your passkey',
    text: 'The passkey you created for Countersign.',
    signIn: 'Sign in with a passkey',
    cancelled: 'The passkey was not used. Try again.',
  },
  asking: {
    title: 'Pairing this browser…',
    text: 'It creates its own key, which never leaves this browser.',
  },
  finishing: { title: 'Almost done', text: 'Your terminal is pairing this browser. This takes a moment.' },
  refused: { title: 'Pairing was refused', text: 'Someone refused this browser on a trusted device.' },
  expired: { title: 'Pairing timed out', text: 'Nobody answered in time.' },
  again: 'Start again',
  noEd25519: 'This browser cannot create the key it needs (Ed25519). Update it, or use another browser.',
  compare: {
    title: 'Compare six words',
    text: (devices: ReactNode, name: string) => (
      <>
        On a device that is already paired, open {devices} and find “{name}”. Approve it only if it shows
        these words in this order.
      </>
    ),
    devices: 'Devices',
    terminal: (gateway: string) => `Or approve it from a terminal on ${gateway}.`,
    waiting: (until: string) => `Waiting. The words are valid until ${until}.`,
    stop: 'Cancel',
  },
  insecure: {
    title: 'This address cannot store a key',
    text: (origin: string) =>
      `Browsers store keys only for https and localhost, and this page is ${origin}. The browser could not prove that it is yours.`,
    local: (address: ReactNode) => <>On the computer running the gateway, open {address}.</>,
    https: 'From elsewhere, use an https name, for example through your own proxy or a private network.',
    tunnel: (command: ReactNode, address: string) => (
      <>
        Or forward the port with {command} and open {address}.
      </>
    ),
    yourHost: 'your-host',
  },
  unproven: {
    title: 'This is not your gateway',
    text: (message: string) =>
      `${message} Another program may be using its address. Nothing was signed for it.`,
    next: 'On the computer running the gateway, check that it is up. If you set it up again, run “countersign open” in a terminal there, which pairs a browser again.',
  },
  unreachable: {
    title: 'The gateway is not responding',
    text: (message: string) => `${message} Start it on the computer where it is installed, then try again.`,
  },
})
