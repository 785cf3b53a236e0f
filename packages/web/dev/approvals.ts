/** Scripted approvals: one of each tier that asks. */
import type { ApprovalView } from '@countersign/contract'
import { id, minutes } from './ids.ts'

const shared = {
  state: 'pending' as const,
  asked: [],
  replaces: null,
  decidedAt: null,
  decidedBy: null,
  reason: null,
  receipt: null,
}

export function approvals(): readonly ApprovalView[] {
  return [
    {
      ...shared,
      id: id('apr', 1),
      code: 'K7Q2',
      asks: {
        en: {
          why: 'Always asks: others will see what is sent.',
          stops: 'Nothing that you can allow in advance covers it.',
        },
        de: {
          why: 'Fragt immer, weil andere sehen, was gesendet wird.',
          stops: 'Nichts, was du im Voraus erlauben kannst, umfasst es.',
        },
      },
      digest: '9f2c1d0b'.repeat(8),
      session: id('ses', 1),
      run: id('run', 1),
      call: id('call', 3),
      createdAt: minutes(-2),
      expiresAt: minutes(28),
      agentSays: 'Ana handles invoices, so I asked her to resend it.',
      options: [{ scope: 'once', sentence: 'This call only.' }],
      card: {
        headline: 'Send 1 email to ana@kovac.example',
        tier: 3,
        tool: 'send_email',
        args: '{"body":"Hi Ana, …","to":"ana@kovac.example"}',
        chain: [
          { kind: 'operator', id: 'laptop', name: 'laptop' },
          { kind: 'agent', id: 'User agent', name: 'User agent' },
          { kind: 'goal', id: 'goal_1', name: 'Bookkeeping' },
          { kind: 'tool', id: 'send_email', name: 'send_email' },
        ],
        preview: {
          kind: 'text',
          title: 'Missing invoice 2026-08',
          text: 'Hi Ana,\n\nthe Stripe invoice for August is not in the shared folder. Could you send it again?\n\nBest,\nMira',
        },
        effects: [
          {
            verb: 'send',
            object: 'ana@kovac.example',
            scope: 'boundary',
            reversible: false,
            outward: true,
            leaves: ['your name', '1 PDF (finance)'],
          },
        ],
        why: {
          reason: 'Ask before writing to new people.',
          rules: [
            { id: 'new-recipient', file: 'mail.cedar', line: 12, why: 'ask before writing to new people' },
          ],
          raised: ['The text came from an inbound email.'],
        },
      },
    },
    {
      ...shared,
      id: id('apr', 2),
      code: 'M3XA',
      asks: {
        en: {
          why: 'Asks because it reaches another host.',
          stops:
            'Allowed for a run, a session or 30 minutes, it stops for this host until the task reads words of strangers.',
        },
        de: {
          why: 'Fragt, weil es einen anderen Host erreicht.',
          stops:
            'Für einen Lauf, eine Sitzung oder 30 Minuten erlaubt, endet es für diesen Host, bis sie Worte Fremder liest.',
        },
      },
      digest: '1a2b3c4d'.repeat(8),
      session: id('ses', 1),
      run: id('run', 1),
      call: id('call', 4),
      createdAt: minutes(-3),
      expiresAt: minutes(26),
      agentSays: 'The invoice may be in Stripe.',
      options: [
        { scope: 'once', sentence: 'This call only.' },
        { scope: 'run', sentence: 'GET to api.stripe.com, up to 20 times, in this run.' },
        { scope: 'time', sentence: 'GET to api.stripe.com, for 30 minutes.' },
        { scope: 'rule', sentence: 'A rule for calls like this one, which you choose' },
      ],
      card: {
        headline: 'Fetch api.stripe.com',
        tier: 2,
        tool: 'http_request',
        args: '{"method":"GET","url":"https://api.stripe.com/v1/invoices?limit=3&created[gte]=1722470400"}',
        chain: [
          { kind: 'operator', id: 'laptop', name: 'laptop' },
          { kind: 'agent', id: 'User agent', name: 'User agent' },
          { kind: 'goal', id: 'goal_1', name: 'Bookkeeping' },
          { kind: 'tool', id: 'http_request', name: 'http_request' },
        ],
        preview: {
          kind: 'http',
          method: 'GET',
          url: 'https://api.stripe.com/v1/invoices?limit=3&created[gte]=1722470400',
          headers: [
            ['authorization', 'Bearer ‹stripe›'],
            ['accept', 'application/json'],
          ],
          body: '',
        },
        effects: [
          {
            verb: 'fetch',
            object: 'api.stripe.com',
            scope: 'boundary',
            reversible: true,
            outward: true,
            leaves: ['the request', 'the secret stripe'],
          },
        ],
        why: {
          reason: 'First contact with this host.',
          rules: [
            { id: 'new-host', file: 'web.cedar', line: 4, why: 'ask at the first contact with a host' },
          ],
          raised: [],
        },
      },
    },
    {
      ...shared,
      id: id('apr', 3),
      code: 'P9DD',
      asks: {
        en: {
          why: 'Always asks: nobody can list beforehand what a program does.',
          stops: 'Nothing that you can allow in advance covers it.',
        },
        de: {
          why: 'Fragt immer, weil sich nicht vorher auflisten lässt, was ein Programm tut.',
          stops: 'Nichts, was du im Voraus erlauben kannst, umfasst es.',
        },
      },
      digest: '77778888'.repeat(8),
      session: id('ses', 2),
      run: id('run', 2),
      call: id('call', 9),
      createdAt: minutes(-41),
      expiresAt: minutes(1310),
      agentSays: '',
      options: [{ scope: 'once', sentence: 'This call only.' }],
      card: {
        headline: 'Run a shell command in ~/books',
        tier: 3,
        tool: 'execute_shell',
        args: '{"command":"find . -name \\"*.tmp\\" -mtime +30 -delete","cwd":"."}',
        chain: [
          { kind: 'operator', id: 'laptop', name: 'laptop' },
          { kind: 'agent', id: 'User agent', name: 'User agent' },
          { kind: 'tool', id: 'execute_shell', name: 'execute_shell' },
        ],
        preview: {
          kind: 'shell',
          command: 'find . -name "*.tmp" -mtime +30 -delete',
          cwd: '/home/mira/books',
          sandbox: 'bwrap, no network',
        },
        effects: [
          {
            verb: 'delete',
            object: 'files in ~/books',
            scope: 'inside',
            reversible: false,
            outward: false,
            leaves: [],
          },
        ],
        why: {
          reason: 'Shell commands on the host ask.',
          rules: [{ id: 'host-shell', file: 'base.cedar', line: 31, why: 'host shell always asks' }],
          raised: [],
        },
      },
    },
    {
      ...shared,
      id: id('apr', 4),
      code: 'T4ZZ',
      asks: {
        en: {
          why: 'Always asks: this kind of action needs your passkey every time.',
          stops: 'Nothing that you can allow in advance covers it.',
        },
        de: {
          why: 'Fragt immer, weil diese Art von Aktion jedes Mal deinen Passkey braucht.',
          stops: 'Nichts, was du im Voraus erlauben kannst, umfasst es.',
        },
      },
      digest: 'abcdef01'.repeat(8),
      session: id('ses', 2),
      run: id('run', 2),
      call: id('call', 10),
      createdAt: minutes(-55),
      expiresAt: minutes(1290),
      agentSays: '',
      options: [{ scope: 'once', sentence: 'This call only.' }],
      card: {
        headline: 'Install the skill “receipts”',
        tier: 4,
        tool: 'install_skill',
        args: '{"skill":"receipts"}',
        chain: [
          { kind: 'operator', id: 'laptop', name: 'laptop' },
          { kind: 'manual', id: 'run_1', name: '' },
          { kind: 'tool', id: 'install_skill', name: 'install_skill' },
        ],
        preview: {
          kind: 'table',
          title: 'What it may do',
          columns: ['Tool', 'Limit'],
          rows: [
            ['read_file', '~/books'],
            ['search_emails', 'from billing@'],
            ['write_file', '~/books/2026-08'],
          ],
        },
        effects: [
          {
            verb: 'authority',
            object: 'the skill “receipts”',
            scope: 'boundary',
            reversible: true,
            outward: false,
            leaves: [],
          },
        ],
        why: {
          reason: 'Unsigned code asks every time.',
          rules: [{ id: 'unsigned', file: 'base.cedar', line: 50, why: 'unsigned code' }],
          raised: [],
        },
      },
    },
  ]
}
