/** The first run as the scripted gateway tells it. `setup=waiting`, `setup=ran` and `setup=fresh` show other moments of it. */

import { approvals } from './approvals.ts'
import { id, minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const asked = () => new URLSearchParams(window.location.search).get('setup') ?? ''

const findings = [
  {
    id: 'disk',
    title: 'Disk',
    severity: 'ok',
    evidence: '75.6 GiB free at /home/mira/.local/share/countersign',
    fix: '',
  },
  { id: 'clock', title: 'Clock', severity: 'ok', evidence: '2026-11-15 14:18', fix: '' },
  { id: 'sandbox', title: 'Sandbox', severity: 'ok', evidence: 'bubblewrap', fix: '' },
  { id: 'keys', title: 'Keys', severity: 'ok', evidence: 'in the keyring of this computer', fix: '' },
  {
    id: 'service',
    title: 'Service',
    severity: 'warning',
    evidence: 'no service manager, so it runs until this computer restarts',
    fix: 'Start Countersign again after each restart.',
  },
]

const levels = (
  [
    ['none', 'It asks before every act, looking included.', 812],
    ['low', 'It looks freely inside what you gave it, and asks before it changes anything.', 418],
    [
      'medium',
      'It looks and makes changes that can be undone. It asks before anything leaves your computer.',
      71,
    ],
    ['high', 'It also reads the web freely. It asks before what others see or what is hard to undo.', 44],
    [
      'full',
      'As high by its rules. What others see still needs the seal of your device, so it asks for that.',
      6,
    ],
  ] as const
).map(([level, about, asks]) => ({ level, about, asks }))

const chosen = {
  ref: 'demo/demo',
  title: 'demo',
  demo: true,
  price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, source: 'local', date: '2026-11-01' },
  firstTokenMs: 1,
  totalMs: 2,
  usd: 0,
  text: 'I am the demo model. I run on this computer, need no key and cost nothing. I am ready.',
}

const recipe = (name: string, sentence: string, about: string, may: string, tierMax: number) => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  sentence,
  about,
  may,
  tierMax,
  maxCostUsd: 0.05,
  added: name === 'Evening digest' ? { id: 'sch_9', status: 'active' } : null,
})

const data = () => {
  const moment = asked()
  const progress = {
    action: 'draft',
    session: id('ses', 1),
    run: id('run', 1),
    state: moment === 'ran' ? 'done' : 'waiting',
    approval:
      moment === 'ran' ? null : { id: approvals()[0]?.id, code: 'K7Q2', headline: 'Send 1 email', tier: 3 },
    ran:
      moment === 'ran'
        ? {
            call: id('call', 1),
            headline: 'Draft a reply to Ana Kovač <ana@example.com>, kept and not sent',
            summary: 'Kept the draft for Ana Kovač <ana@example.com> as a note. Nothing was sent',
            tier: 3,
            undoable: true,
          }
        : null,
    problem: null,
  }
  return {
    check: { findings },
    you: { name: moment === 'fresh' ? null : 'Mira', passkey: false },
    model: {
      detected: [
        {
          kind: 'anthropic',
          name: 'anthropic',
          title: 'Anthropic',
          url: 'https://api.anthropic.com/v1',
          variable: 'ANTHROPIC_API_KEY',
          models: [],
        },
        {
          kind: 'ollama',
          name: 'ollama',
          title: 'Ollama',
          url: 'http://127.0.0.1:11434/api',
          variable: null,
          models: ['qwen3:8b'],
        },
      ],
      kinds: [
        { kind: 'anthropic', title: 'Anthropic' },
        { kind: 'openai', title: 'OpenAI' },
      ],
      current: moment === 'fresh' ? null : 'demo/demo',
      chosen: moment === 'fresh' ? null : chosen,
    },
    safety: {
      cards: [
        {
          choice: 'boundaries',
          level: 'medium',
          title: 'Ask me at boundaries',
          about: levels[2]?.about,
          asks: 71,
        },
        {
          choice: 'everything',
          level: 'none',
          title: 'Ask me for everything',
          about: levels[0]?.about,
          asks: 812,
        },
        {
          choice: 'custom',
          level: null,
          title: 'I choose the level',
          about: 'One of five levels, from every act to almost none.',
          asks: null,
        },
      ],
      levels,
      calls: 1000,
      level: 'medium',
      fixed: null,
      monthlyUsd: 10,
      unattendedUsd: 0,
      suggestedUnattendedUsd: 1,
      chosen: null,
    },
    action: {
      choices: [
        {
          action: 'tidy',
          title: 'Tidy a sample Downloads folder',
          tier: 1,
          about:
            'Moves six sample files into folders. Every move can be undone. At the end it asks to do so each Friday.',
          asks: 1,
          needs: '',
          text: 'Tidy the folder Sample/Downloads: put pictures, documents and archives into folders of their own.',
        },
        {
          action: 'page',
          title: 'Summarise a web page',
          tier: 2,
          about: 'Reads one page. Its server learns that you asked, so it asks you first.',
          asks: 1,
          needs: 'Switches the web tools on, and needs a network.',
          text: 'Summarise https://example.com/ in three sentences.',
        },
        {
          action: 'draft',
          title: 'Draft a reply',
          tier: 3,
          about:
            'Reads a sample message and drafts an answer in your name. You see every word. It is kept, never sent.',
          asks: 1,
          needs: '',
          text: 'Draft a reply to Sample/Inbox/from-ana.txt with the tool draft_reply. Send nothing.',
        },
      ],
      progress: moment === 'waiting' || moment === 'ran' ? progress : null,
    },
    reach: {
      ways: [
        {
          id: 'push',
          title: 'Push to this browser or phone',
          state: 'browser',
          about:
            'A notification with the headline and nothing else. Allowed in the browser, once for each device.',
          approves: 'Opens the card. T3 needs a device that you trust with it.',
        },
        {
          id: 'terminal',
          title: 'Terminal',
          state: 'ready',
          about: 'A terminal on this computer shows what is waiting and takes your decision.',
          command: 'countersign approval watch',
          approves: 'Up to T3. T4 needs a passkey.',
        },
      ],
      arrived: null,
    },
    keep: {
      manager: 'systemd',
      preview:
        'Writes ~/.config/systemd/user/countersign.service, which starts the gateway.\nEnables and starts it for you alone, without root.',
      command: 'countersign service install',
      completions: ['bash', 'zsh', 'fish'].map((shell) => ({
        shell,
        command: `countersign completion ${shell}`,
      })),
    },
    recipes: {
      recipes: [
        recipe(
          'Morning brief',
          'every weekday 8:00',
          'Events, tasks that are due and what waits for you, in ten lines.',
          'Looks at your calendar, tasks and goals. Changes nothing.',
          0,
        ),
        recipe(
          'Evening digest',
          'every day 18:00',
          'What was done for you today, with where each thing is recorded.',
          'Reads the ledger. Changes nothing.',
          0,
        ),
        recipe(
          'Tidy Downloads',
          'every Friday 17:00',
          'Files of the folder Downloads go into folders by kind.',
          'Moves files in the workspace. Every move can be undone.',
          1,
        ),
        recipe(
          'Watch a page',
          'every day 7:30',
          'Reads one page a day and tells what changed.',
          'Fetches that page; it asks until you allow it for longer.',
          2,
        ),
      ],
      unattendedUsd: 0,
    },
  }
}

const titles = {
  check: ['Check this computer', 'Disk, clock, sandbox, where keys are kept, and what keeps it running.'],
  you: ['You', 'What it calls you, and a passkey for what must be yours alone.'],
  model: ['Model', 'Who answers. A key is tried at once and kept in the vault; the demo needs none.'],
  safety: ['Safety', 'When it asks you, and what a month may cost at most.'],
  action: ['First action', 'One real piece of work, with one real decision of yours.'],
  reach: ['Reach me', 'Where a card finds you while you do something else.'],
  keep: ['Keep running', 'A service that starts with this computer, and commands that complete themselves.'],
  recipes: ['Recipes', 'Small automations to begin with. Take none, one or several.'],
} as const

function view() {
  const all = data()
  const settled = asked() === 'fresh' ? 0 : asked() === 'ran' ? 5 : 4
  const steps = Object.entries(titles).map(([step, [title, about]], place) => ({
    id: step,
    title,
    about,
    state: place < settled ? (step === 'you' ? 'skipped' : 'done') : 'todo',
    skippable: !['check', 'model', 'safety'].includes(step),
    at: place < settled ? minutes(-3) : null,
    data: all[step as keyof typeof titles],
  }))
  return { steps, settled, total: 8, next: steps[settled]?.id ?? null }
}

export const onboardingAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/onboarding': view,
  'GET /v1/onboarding/summary': () => {
    const { steps, ...rest } = view()
    return { ...rest, steps: steps.map(({ id: step, title, state }) => ({ id: step, title, state })) }
  },
  'POST /v1/onboarding/*': view,
  'POST /v1/onboarding/*/skip': view,
}
