/** What the Policy screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('policy', {
  title: 'Policy',
  note: 'what may happen without asking you',
  tabs: {
    grants: 'What may run without asking',
    agents: 'What each agent can do',
    rules: 'Rules',
    passkeys: 'Passkey tools',
  },
  grantCount: (count: number) => plural(count, { one: '# grant', other: '# grants' }),
  revokeCount: (count: number) => plural(count, { one: 'Revoke # grant', other: 'Revoke # grants' }),
  revoke: 'Revoke',
  levels: {
    none: 'everything needs approval',
    low: 'reading needs no approval',
    medium: 'reading and reversible changes need no approval',
    high: 'only actions that others see or that are hard to undo need approval',
    full: 'only critical actions need approval',
  },
  ownLevel: 'a custom level',
  grants: {
    intro:
      'You gave each grant on an approval card. A grant never covers calls above T2 or untrusted content. Revoking it takes effect with the next call.',
    which: 'Which grants',
    presets: {
      active: 'All active',
      unused: 'Unused for 30 days',
      broadest: 'Broadest first',
      ended: 'Ended',
    },
    empty: {
      active:
        'You haven’t allowed anything in advance. A grant is created on an approval card, when you allow more than one call.',
      unused: 'Every grant was used in the last 30 days.',
      broadest: 'No grant is active.',
      ended: 'No grant has ended yet.',
    },
    revokeUnused: 'Revoke unused…',
    revokeAll: 'Revoke all…',
    revokeAllBut: (count: number) => plural(count, { other: 'Revoke all except #…' }),
    openApprovals: 'Open Approvals',
    newest: (count: number) => plural(count, { other: 'The newest # are shown.' }),
    tick: 'Select the grants to keep, then revoke the rest at once.',
    terminal: 'In a terminal',
    keyRevoke: 'Revoke the grant',
    revoked: (count: number) =>
      plural(count, {
        one: 'Revoked # grant. Its calls need approval again.',
        other: 'Revoked # grants. Their calls need approval again.',
      }),
    revokedPartly: (done: number, failed: number, problem: string) =>
      `${plural(done, { one: 'Revoked # grant', other: 'Revoked # grants' })}; ${plural(failed, { one: '# is still active', other: '# are still active' })}: ${problem}`,
  },
  row: {
    keep: (sentence: string) => `Keep: ${sentence}`,
    unused: 'unused for 30 days',
    broad: 'broad',
    states: { active: 'active', revoked: 'revoked', expired: 'expired', used: 'used up' },
    from: 'From',
    fromPlan: 'the calls of a plan',
    fromApproval: 'an approval',
    covers: 'Covers',
    where: 'Where',
    ends: 'Expires',
    endsIn: (left: string) => `in ${left}`,
    used: 'Used',
    times: (count: number) => plural(count, { one: '# time', other: '# times' }),
    timesOf: (count: number, most: number) =>
      `${count} of ${plural(most, { one: '# time', other: '# times' })}`,
    last: (when: ReactNode) => <>, last {when}</>,
    revoke: (sentence: string) => `Revoke: ${sentence}`,
    neverUsed: 'never used',
    usedAt: (when: ReactNode) => <>used {when}</>,
    run: 'one run',
    session: 'one session',
    goal: 'one goal',
    everywhere: 'everywhere',
    agent: (agent: string) => `the agent ${agent}`,
    coverage: {
      0: 'one exact call',
      1: 'named targets',
      2: 'a whole folder or host',
      3: 'every call of the tool',
    },
  },
  keep: {
    all: 'Revoke every grant',
    description:
      'Calls they allowed will need approval again. Calls that are already running are not stopped.',
    ends: 'Will end',
    stays: 'Will stay',
  },
  prune: {
    title: 'Revoke unused grants',
    description: 'An unused grant is only a risk. The next call it would have allowed will ask you instead.',
    unusedFor: 'Unused for',
    days: (count: number) => plural(count, { one: '# day', other: '# days' }),
    none: (days: number) =>
      plural(days, {
        one: 'Every grant was used within # day.',
        other: 'Every grant was used within # days.',
      }),
    wouldEnd: 'Would end',
    revoked: (count: number) => plural(count, { one: 'Revoked # grant.', other: 'Revoked # grants.' }),
  },
  suggestions: {
    title: 'Would save you questions',
    intro:
      'You approved these more than once in the last 30 days. You create a rule on an approval card, where you see what it covers first: open a request of the tool and choose “Create a rule”.',
    would: (answers: ReactNode, stop: string, agent: ReactNode) => (
      <>
        Would have answered {answers} of your approvals · covers {stop} · for the agent {agent}
      </>
    ),
    stops: {
      call: 'this exact call',
      target: 'the same target',
      place: 'the same folder or host',
      tool: 'any call of the tool',
    },
    noRequest: 'No pending requests from this tool',
    from: (code: string) => `Create it from ${code}`,
  },
  agents: {
    agent: 'Agent',
    every: 'Every agent',
    allOf: (group: string) => `all of ${group}`,
    isDefault: 'default agent',
    off: 'turned off',
    tools: 'Tools',
    everyTool: 'every tool its kind may use',
    data: 'Data',
    allData: 'all data',
    noData: 'none',
    model: 'Model',
    free: (level: string) => `Allowed at level ${level}`,
    rules: 'Your rules',
    grants: 'Grants that apply here',
    noGrants: 'None. Anything not covered by the level or your rules needs your approval.',
    always: 'In every case',
    t3: 'Actions that others see or that are hard to undo (T3) need the approval of one of your devices.',
    t4: 'Critical actions (T4) need your passkey.',
    passkeyTools: (tools: ReactNode) => <>Every call of {tools} needs your passkey.</>,
  },
  rules: {
    none: 'Nothing: at this level every action needs your approval.',
    noRules: 'You have no rule that allows anything.',
    caption: 'Your rules that allow something',
    purpose: 'Purpose',
    rule: 'Rule',
    where: 'Where',
    free: (level: string) => `What level ${level} allows`,
    yours: 'Your rules',
    most: 'Most people need three to eight.',
    weighing: 'How they are combined',
    weighingText:
      'A refusal wins over a question, and a question wins over a permission. The order of the files does not matter. Your rules cannot override the ones that come with Countersign. An invalid policy never goes live.',
    change: 'How to change them',
    changeText:
      'Rules are Cedar files in your policy folder, one file per subject. Edit them there; the gateway reads them when it starts.',
    paths: 'Show where the policy folder is',
    reload: 'Read them again',
    fiveLevels: 'The five levels',
    now: 'current',
    policy: 'Policy',
  },
  passkeys: {
    intro:
      'Every call of these tools is critical (T4): no level, rule or grant allows it, and a device alone cannot approve it. You confirm each call with your passkey.',
    missing: 'No passkey is registered.',
    missingText: 'Until you add one, critical calls cannot be approved at all.',
    add: 'Add a passkey',
    none: 'No tool needs your passkey every time. Money, secrets and changes of permissions always do.',
    list: 'Tools that need your passkey',
    touches: 'What it can affect',
    change: 'How to change them',
    changeText:
      'They are set in the gateway’s configuration, which no agent can reach. The gateway reads it when it starts.',
  },
})
