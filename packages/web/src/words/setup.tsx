/** What Setup says, apart from the words of the steps, which the gateway writes in the language of the reader. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('setup', {
  title: 'Setup',
  leave: 'Leave for now',
  comeBack: '. You can return from Today.',
  continue: 'Continue',
  skip: 'Skip',
  steps: {
    states: { todo: 'to do', done: 'done', skipped: 'skipped' },
    settledOf: (settled: number, total: number) => `${settled} of ${total} done`,
    all: 'All steps',
    at: (step: number, total: number) => `Step ${step} of ${total}`,
    settled: (count: number) => plural(count, { other: '# done' }),
  },
  card: {
    title: 'Setup',
    of: (settled: number, total: number) => `${settled} of ${total}`,
    next: (step: string) => `Next: ${step}`,
    continue: 'Continue',
  },
  check: {
    stages: { room: 'Disk and clock', walls: 'Sandbox and keys', service: 'Background service' },
    ok: 'Fine',
    warning: 'Works with limits',
    error: 'Needs fixing',
    details: 'Details',
  },
  you: {
    name: 'Your name',
    hint: 'Your agents will see it. It stays on this computer.',
    passkey: 'Passkey',
    about:
      'Critical actions, such as payments, secrets and changes of permissions, run only after your fingerprint, face or security key confirms them. You can add a passkey later under Devices.',
    registered: 'A passkey is registered.',
    create: 'Create a passkey',
    unnamed: 'You',
    cancelled: 'No passkey was created. Try again, or continue without one.',
  },
  model: {
    which: 'Which model?',
    trying: 'Testing…',
    tryIt: 'Test it',
    current: 'Keep the current model',
    runsAt: (url: ReactNode) => <>Runs on this computer at {url}</>,
    keyIn: (variable: ReactNode) => <>A key was found in {variable}. It will be stored in the vault.</>,
    paste: 'Paste a key',
    pasteAbout: 'From a provider where you have an account. Stored in the vault.',
    demo: 'Try without a model',
    demoAbout: 'A demo with fixed rules. No key, no network, no cost. It understands a few sentences.',
    provider: 'Provider',
    key: 'Key',
    keyHint: 'One small test call is made right away. No agent ever sees the key.',
    answers: (model: ReactNode) => <>{model} answers</>,
    price: 'Price',
    priceUnknown: 'Unknown; treated as expensive',
    free: 'Free',
    perMillion: (input: ReactNode, output: ReactNode) => (
      <>
        {input} in, {output} out per million tokens
      </>
    ),
    responded: 'Responded in',
    ms: (total: number) => plural(total, { other: '# ms' }),
    address: 'Address of your own server (optional)',
    addressHint: 'For a server that speaks the same language, such as LM Studio or vLLM.',
    name: 'Model (optional)',
    nameHint: 'As the provider names it. Left empty, a small one that can use tools.',
    testCost: 'Cost of this test',
    said: 'It said',
  },
  safety: {
    when: 'When should it ask you?',
    level: 'Level',
    cost: 'Monthly cost limit',
    costAbout: 'A hard limit: money is reserved before each call, so it is never exceeded.',
    allWork: 'All work',
    spoken: (usd: number) => plural(usd, { one: '# dollar a month', other: '# dollars a month' }),
    perMonth: 'Dollars a month',
    number10: 'Enter a number, such as 10.',
    number0: 'Enter a number, such as 0.',
    unattendedAbout:
      'The part of it for work that starts on its own: summaries, memory, automations. At 0, none of it starts.',
    unattended: 'Unattended',
    notCounted: 'There are no figures for how often this level asks.',
    asked: (times: ReactNode) => <>In our test week: about {times} a day.</>,
    times: (count: number) => plural(count, { one: '# question', other: '# questions' }),
    needsPasskey: 'Asking less or spending more needs your passkey. Nothing was changed. Try again.',
  },
  action: {
    working: 'It is working on your first action. The approval card will appear here.',
    begin: 'Start',
    what: 'What should it do first?',
    asks: (count: number) => plural(count, { one: 'Asks you once', other: 'Asks you # times' }),
    told: 'These are its instructions',
    done: 'You approved it, and it is done',
    ledger: 'Show in the ledger',
    conversation: 'Open the conversation',
    undo: 'Undo it',
    undoing: (count: number, ledger: number) =>
      `${plural(count, { one: 'Undoing # call', other: 'Undoing # calls' })}. Ledger #${ledger}.`,
    another: 'Try another',
    openApprovals: 'Open in Approvals',
    keys: 'First card',
  },
  coach: {
    title: 'How to read your first approval card',
    gotIt: 'Got it',
    marks: {
      what: ['What', 'Exactly what will run, byte for byte. What you approve is what runs.'],
      effects: ['Effects', 'What it can change, what is sent elsewhere, and whether it can be undone.'],
      why: ['Why', 'Why it asks you, and the rule behind it.'],
      choices: [
        'Choices',
        'Deny says no and tells the agent why. Approve once allows this one call and nothing else.',
      ],
    },
  },
  reach: {
    ready: 'Ready',
    off: 'Off',
    mayDecide: 'May decide:',
    phone:
      'For the app on your phone, run this on the computer of the gateway, scan the picture, and send the test from this page on the phone.',
    allowAndTest: 'Allow and send a test',
    sendTest: 'Send a test',
    notSent: 'It was not sent.',
    didItArrive: 'Did it arrive?',
    onItsWay: 'It is still on its way.',
    again: 'Send it again',
    yes: 'Yes, it arrived',
    arrivedByPush: 'A notification reached you.',
    arrivedIn: (channel: ReactNode) => <>A message reached you in {channel}.</>,
    chats: 'Chats',
    chatsAbout: 'A chat, an e-mail or a notice on your phone. Its form says what it needs.',
    addChat: 'Add a chat',
    write: (account: ReactNode) => (
      <>
        Write anything to {account} from your own account. It answers with a code, by which you let yourself
        in.
      </>
    ),
    itsAccount: 'its account',
    nobody: 'Nobody can be let in as you here, so no test can be sent. People can still write here.',
  },
  keep: {
    start: 'Start with this computer',
    where:
      'A page cannot install it. It is done in a terminal on that computer, now or later; until then, start Countersign again after each restart.',
    completions: 'Shell completions',
    completionsAbout:
      'For whoever works in a terminal: each command prints a script. Your shell’s manual says where to put it.',
    copyFor: (shell: string) => `Copy for ${shell}`,
  },
  recipes: {
    finish: 'Finish',
    add: (count: number) => plural(count, { other: 'Add # and finish' }),
    about:
      'The monthly limit for unattended work. At 0, the automations are added but paused. What one run costs depends on your model.',
    number: 'Enter a number, such as 1.',
    status: { active: 'on', paused: 'paused' },
    upTo: 'Up to',
    atMost: (cost: ReactNode) => <>at most {cost} per run</>,
  },
  finished: {
    done: 'You are all set',
    notDone: 'Setup is not complete yet',
    doneAbout: 'It works within the limits you chose and asks you for everything else.',
    notDoneAbout: 'You can continue now or later. Today shows what is left.',
    left: 'Skipped',
    may: 'What it may do',
    spend: 'What it may spend',
    spendAbout: (month: ReactNode, alone: ReactNode) => (
      <>
        At most {month} a month, of which {alone} for work that starts on its own.
      </>
    ),
    added: 'What was added',
    addedPaused: 'paused: there is no money for work that starts on its own',
    nothingAdded: 'No automation yet.',
    say: 'Three things to say next',
    examples: [
      'What can you do here?',
      'Which files are in my workspace?',
      'Remind me tomorrow at 9 to water the plants.',
    ],
    chat: 'Start a conversation',
    today: 'Go to Today',
  },
})
