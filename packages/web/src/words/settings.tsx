/** What the Settings screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('settings', {
  title: 'Settings',
  tabs: { browser: 'This browser', secrets: 'Secrets' },
  appearance: {
    title: 'Appearance and keys',
    theme: 'Theme',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    letters: 'Single-letter shortcuts',
    lettersHint: (key: ReactNode) => (
      <>
        Such as {key} to approve. They do nothing while you type. Shortcuts with a modifier key always work.
      </>
    ),
  },
  notifications: {
    title: 'Notifications',
    about:
      'A notification opens the request; it never decides. It is encrypted on its way through the browser’s push service.',
    toggle: 'Notify me when something needs me',
    hint: 'Approvals, questions and failed automations.',
    sent: 'Sent. It should appear now.',
    notSent: 'The notification was not sent. Turn notifications off and on again.',
    test: 'Send a test notification',
  },
  browser: {
    title: 'This browser',
    device: 'Device',
    gateway: 'Gateway',
    key: 'Key',
    keyAbout: 'Created and stored in this browser. It cannot be read out, and there is no cookie.',
    others: 'Others',
    allDevices: 'All devices and passkeys',
    signOut: 'Sign out of this browser…',
    signOutTitle: 'Sign out of this browser?',
    signOutAbout:
      'Its key and its stored data are deleted here. It must be paired again before you can use it.',
    stay: 'Stay signed in',
    leave: 'Sign out',
    stillListed:
      'The gateway still lists the key until it is revoked. If this computer is no longer yours, revoke it instead:',
    name: 'Name',
    nameHint: 'The name appears in receipts: “approved on …”.',
    rename: 'Rename',
    renamed: (name: string, ledger: number) => `Renamed to “${name}”. Ledger #${ledger}.`,
  },
})
