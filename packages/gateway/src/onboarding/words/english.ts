/** The words of the setup steps. What an agent is told to do, and the names of automations, are the same everywhere. */
import type { Translated } from '@countersign/contract'

export const english = {
  steps: {
    check: {
      title: 'Check this computer',
      about: 'Disk, clock, sandbox, key storage and background service.',
    },
    you: { title: 'You', about: 'Your name, and a passkey for critical actions.' },
    model: {
      title: 'Model',
      about:
        'Which model answers. A key is tested right away and stored in the vault; the demo needs no key.',
    },
    safety: { title: 'Safety', about: 'When it asks you, and how much it may spend in a month.' },
    action: { title: 'First action', about: 'One real task, with one real decision of yours.' },
    reach: {
      title: 'Reach me',
      about: 'How you learn that an approval is waiting. It ends with a message that arrived on your phone.',
    },
    keep: {
      title: 'Keep running',
      about: 'A service that starts with this computer, and completions for your shell.',
    },
    recipes: {
      title: 'Ready-made automations',
      about: 'Small automations to start with. Take none, one or several.',
    },
  },
  check: {
    names: { disk: 'Disk', clock: 'Clock', sandbox: 'Sandbox', keys: 'Keys', service: 'Service' },
    disk: {
      free: (gibibytes: string, folder: string) => `${gibibytes} GiB free at ${folder}`,
      full: 'Free some disk space. Without it nothing can be recorded, so nothing runs.',
      low: 'Free some disk space soon.',
    },
    clock: {
      behind: (now: string, written: string) => `it is ${now} here, yet files were written at ${written}`,
      fix: 'Correct the clock of this computer.',
    },
    noSandbox: (reason: string) => `${reason} File and shell tools stay off; everything else works`,
    keys: {
      none: 'storage is chosen with the first secret',
      keyring: 'in the keyring of this computer',
      file: (folder: string) => `in ${folder}, readable by you alone`,
    },
    noService: {
      evidence: 'no service manager, so it runs until this computer restarts',
      fix: 'Start Countersign again after each restart.',
    },
  },
  safety: {
    levels: {
      none: 'It asks before every action, even before it reads.',
      low: 'It reads what you gave it access to, and asks before it changes anything.',
      medium: 'It reads, and makes changes that can be undone. It asks before anything leaves your computer.',
      high: 'It also reads the web. It asks before actions that others see or that are hard to undo.',
      full: 'Your rules allow as much as at high. Actions that others see still need the seal of your device.',
    },
    choices: {
      boundaries: 'Ask me at boundaries',
      everything: 'Ask me for everything',
      custom: 'I choose the level',
    },
    custom: 'One of five levels, from asking before every action to asking almost never.',
  },
  action: {
    choices: {
      tidy: {
        title: 'Tidy a sample Downloads folder',
        about:
          'Moves six sample files into folders. Every move can be undone. At the end it asks to do this every Friday.',
      },
      page: {
        title: 'Summarise a web page',
        about: 'Reads one page whose address you type. The server of that page learns of the request.',
      },
      draft: {
        title: 'Draft a reply',
        about:
          'Reads a sample message and drafts an answer in your name. You see every word. The draft is stored, never sent.',
      },
    },
    needsWeb: 'Switches the web tools on, and needs a network connection.',
    noApprovedCall: (why: string) => `It ended without doing it.${why} Choose again.`,
    notFinished: (why: string) => `It did not finish.${why} Choose again.`,
  },
  reach: {
    push: {
      title: 'Push to this browser or phone',
      about: 'A notification with the headline and nothing else. You allow it once in each browser.',
      approves: 'Opens the approval card. What leaves your hands needs a device that may approve it.',
    },
    terminal: {
      title: 'Terminal',
      about: 'A terminal on this computer shows what is waiting and takes your decision.',
      approves: 'Everything but critical actions, which need a passkey.',
    },
  },
  keep: {
    systemd: 'Writes ~/.config/systemd/user/countersign.service, which starts the gateway.',
    systemdStart: 'Enables and starts it for your user only, without root.',
    launchd: 'Writes ~/Library/LaunchAgents/countersign.plist, which starts the gateway.',
    launchdStart: 'Loads it for your user only.',
    folders: (data: string, logs: string) => `Data stays in ${data}, logs in ${logs}.`,
    none: 'No service manager was found. Start Countersign again after each restart of this computer.',
  },
  recipes: {
    brief: {
      about: 'Events, tasks that are due and what is waiting for you, in ten lines.',
      may: 'Reads your calendar, tasks and goals. Changes nothing.',
    },
    feed: {
      about: 'What was done for you today, with a reference to each ledger entry.',
      may: 'Reads the ledger. Changes nothing.',
    },
    tidy: {
      about: 'Sorts the files of the folder Downloads into folders by kind.',
      may: 'Moves files in the workspace. Every move can be undone.',
    },
    receipts: {
      about: 'Names and files each receipt that you drop into the folder Receipts.',
      may: 'Reads and moves files in the workspace. Every move can be undone.',
    },
    page: {
      about: 'Reads one page a day and reports what changed. Set the address in the automation.',
      may: 'Fetches that page; it asks each time until you allow it for longer. Needs the web tools.',
    },
    review: {
      about: 'Which goals moved, which did not, and the next step for each.',
      may: 'Reads goals, tasks and conversations. Changes nothing.',
    },
    birthdays: {
      about: 'Tells you about birthdays a week ahead.',
      may: 'Reads your contacts. Changes nothing.',
    },
    notes: {
      about: 'Turns what you noted as to be done into tasks.',
      may: 'Reads notes and adds tasks. Each task can be undone.',
    },
  },
} as const

export type SetupWords = Translated<typeof english>
