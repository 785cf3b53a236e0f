/** What the Policy screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('policy', {
  title: 'Policy',
  note: 'what may happen without asking you',
  tabs: {
    inForce: 'In force',
    edit: 'Edit',
    simulate: 'Simulate',
    versions: 'Versions',
    grants: 'Grants',
    agents: 'By agent',
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
      'You gave each grant. A grant never covers what leaves your hands or is critical, and asks again after untrusted content unless it warns of it. Revoking it takes effect with the next call.',
    which: 'Which grants',
    presets: {
      active: 'All active',
      unused: 'Unused for 15 days',
      broadest: 'Broadest first',
      ended: 'Ended',
    },
    empty: {
      active:
        'You haven’t allowed anything in advance. A grant is created on an approval card, when you allow more than one call.',
      unused: 'Every grant was used in the last 15 days.',
      broadest: 'No grant is active.',
      ended: 'No grant has ended yet.',
    },
    revokeUnused: 'Revoke unused…',
    revokeAll: 'Revoke all…',
    revokePicked: (count: number) =>
      plural(count, { one: 'Revoke # selected…', other: 'Revoke # selected…' }),
    openApprovals: 'Open Approvals',
    tick: 'Select the grants that you want to revoke.',
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
    select: (sentence: string) => `Select: ${sentence}`,
    unused: 'unused for 15 days',
    broad: 'broad',
    states: {
      active: 'active',
      revoked: 'revoked',
      expired: 'expired',
      used: 'used up',
      unused: 'ended unused',
    },
    from: 'From',
    fromPlan: 'the calls of a plan',
    fromApproval: 'an approval',
    covers: 'Covers',
    where: 'Where',
    ends: 'Expires',
    endsIn: (left: string) => `in ${left}`,
    orUnused: (left: string) => `, or in ${left} if unused`,
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
  revoking: {
    all: 'Revoke every grant',
    description:
      'Calls they allowed will need approval again. Calls that are already running are not stopped.',
    ends: 'Will end',
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
    title: 'Suggested grants',
    intro:
      'You approved these three times or more in the last 7 days. A grant would have answered them. It holds for 30 days and ends by itself when it is not used.',
    would: (answers: ReactNode, of: number, agent: ReactNode) => (
      <>
        Would have answered {answers} of {plural(of, { one: '# approval', other: '# approvals' })} of this
        week · for the agent {agent}
      </>
    ),
    create: 'Create this grant',
    created: 'The grant was created.',
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
    t3: 'Actions that others see or that are hard to undo need the approval of one of your devices.',
    t4: 'Critical actions, such as payments, need your passkey. Letting a run spend more asks you without it.',
    passkeyTools: (tools: ReactNode) => <>Every call of {tools} needs your passkey.</>,
  },
  rules: {
    none: 'Nothing: at this level every action needs your approval.',
    noRules: 'You have no rule that allows anything.',
    caption: 'Your rules that allow something',
    purpose: 'Purpose',
    rule: 'Rule',
    where: 'Where',
  },
  inForce: {
    since: (version: number, when: ReactNode, who: ReactNode, passkey: boolean) => (
      <>
        Version {version}, in force since {when}, changed by {who}
        {passkey ? ' with the passkey' : ''}.
      </>
    ),
    files: 'the files on this computer',
    yours: 'Your rules',
    noRules: 'You have no rules of your own yet. Most people need three to eight.',
    write: 'Write a rule',
    edit: 'Edit the rules',
    remove: 'Remove',
    removeRule: (sentence: string) => `Remove the rule: ${sentence}`,
    always: 'At every level',
    weighing:
      'A refusal wins over a question, and a question wins over a permission. The order of rules does not matter, and yours cannot override these.',
    level: 'Level of autonomy',
    levels: { none: 'None', low: 'Low', medium: 'Medium', high: 'High', full: 'Full' },
    asks: (count: number) => plural(count, { other: 'asks # in 100' }),
    measured: (developer: number, office: number, household: number, heldOut: string) =>
      `As installed, in 100 calls of a test week, it asked a developer ${developer} times, an office worker ${office} times and a household ${household} times (in held-out weeks ${heldOut}). Choose a level to see what it means for your own calls.`,
    effects: { allow: 'allows', ask: 'asks', refuse: 'refuses' },
  },
  edit: {
    rulesOf: (file: string) => `Rules in ${file}`,
    completion: 'Completions',
    hint: 'Rules are written in Cedar. Ctrl+Space completes; Enter takes the first suggestion.',
    inWords: 'In words',
    noRules: 'No rules yet. Begin with “permit” to allow something, or “forbid” to ask or refuse.',
    fixFirst: 'Fix the errors to see the rules in words.',
    addFile: 'Add a file',
    fileName: 'Name of the file',
    add: 'Add',
    removeFile: (file: string) => `Remove ${file}`,
    problems: (count: number) => plural(count, { one: '# error', other: '# errors' }),
    line: (file: string, line: number) => `${file}, line ${line}`,
  },
  simulate: {
    running: 'Judging your past calls again…',
    open: 'Show the calls',
    sentence: (calls: number, fewer: number, allowed: number, refused: number) => {
      const asks =
        fewer === 0
          ? 'asked as often'
          : `asked ${plural(Math.abs(fewer), { one: '# time', other: '# times' })} ${fewer > 0 ? 'less' : 'more'}`
      return `In your last ${plural(calls, { one: '# call', other: '# calls' })} it would have ${asks}, allowed ${allowed} more and refused ${refused} more.`
    },
    noCalls: 'There are no past calls to try it on yet.',
    counts: 'Decisions about your past calls',
    policy: 'Policy',
    now: 'In force',
    draft: 'Your draft',
    outcomes: { allow: 'allowed', ask: 'asked', deny: 'refused' },
    empty:
      'Change the level or the rules first. Your past calls are then judged again, and nothing is saved.',
    edit: 'Edit the rules',
    window: 'Calls of the last',
    days: (count: number) => plural(count, { one: '# day', other: '# days' }),
    show: 'Show',
    filters: { all: 'All changes', allow: 'Newly allowed', ask: 'Newly asked', deny: 'Newly refused' },
    none: 'No past call comes out differently.',
    changed: 'Calls that come out differently',
  },
  apply: {
    title: 'Your change is not in force yet',
    invalid: (count: number) =>
      plural(count, {
        one: 'The rules have # error. Fix it first.',
        other: 'The rules have # errors. Fix them first.',
      }),
    loosens: 'Countersign could ask you less:',
    apply: 'Put in force',
    withPasskey: 'Put in force with your passkey',
    discard: 'Discard the change',
    done: (version: number) => `Version ${version} is in force.`,
    noPasskey: 'There is no passkey to confirm this with.',
    cancelled: 'You did not confirm with your passkey. Nothing was changed.',
  },
  versions: {
    entry: 'In force at ledger entry',
    look: 'Look',
    version: (number: number) => `Version ${number}`,
    at: (entry: string, number: number) => `At ledger entry ${entry}: version ${number}`,
    inForce: 'in force',
    asksLess: 'asked less',
    restore: 'Restore this version…',
    changes: 'Changes from the version before',
    text: 'the policy',
  },
  passkeys: {
    title: 'Passkey tools',
    intro: 'You confirm every call of these tools with your passkey. No level, rule or grant allows them.',
    missing: 'No passkey is registered.',
    missingText: 'Until you add one, these calls cannot be approved at all.',
    add: 'Add a passkey',
    none: 'No tool needs your passkey every time.',
    list: 'Tools that need your passkey',
    remove: 'Remove',
    removeTool: (tool: string) => `Remove ${tool}`,
    tool: 'Another tool',
    choose: 'Choose a tool',
    addTool: 'Add',
  },
})
